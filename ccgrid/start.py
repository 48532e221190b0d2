"""Where the program begins: an interrupt while it loads ends it as it would any other, without a traceback."""

import signal


def main() -> None:
    """Load the command line and carry it out; ends the process with its exit status."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from ccgrid.app import main as carry_out

    carry_out()
