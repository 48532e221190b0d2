"""Where the program begins: an interrupt while it loads ends it as it would any other, without a traceback."""

import gc
import signal


def main() -> None:
    """Load the command line and carry it out; ends the process with its exit status."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.disable()  # what is loaded stays: to look through it meanwhile for what may go is in vain
    from ccgrid.app import main as carry_out

    gc.freeze()  # what is loaded stays to the end: it need not be looked through for what may go
    gc.enable()
    carry_out()
