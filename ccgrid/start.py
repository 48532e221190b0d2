"""The entry point, which ends without a traceback if it is interrupted while it loads."""

import gc
import signal


def main() -> None:
    """Load the command line and run it; end the process with its exit status."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.disable()  # modules are never freed, so collections while loading would be wasted
    from ccgrid.app import main as carry_out

    gc.freeze()  # exclude the loaded modules from later collections
    gc.enable()
    carry_out()
