"""The entry point, which ends without a traceback if it is interrupted while it loads."""

import gc
import os
import signal
import sys


def main() -> None:
    """Load the command line and run it; end the process with its exit status."""
    if sys.argv[1:2] != ["scan"]:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        _load_and_run()
        return
    from ccgrid.terminal.echo import keys_hidden  # reading pictures takes long, and is controlled by single keys

    try:
        with keys_hidden():
            _load_and_run()
    except KeyboardInterrupt:  # while it loads
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)


def _load_and_run() -> None:
    gc.disable()  # modules are never freed, so collections while loading would be wasted
    from ccgrid.app import main as carry_out

    gc.freeze()  # exclude the loaded modules from later collections
    gc.enable()
    carry_out()
