"""The entry point, which ends without a traceback if it is interrupted while it loads."""

import gc
import os
import sys


def main() -> None:
    """Load the command line and run it; end the process with its exit status."""
    try:
        import signal  # loads other modules

        if sys.argv[1:2] == ["scan"]:  # reading pictures takes long, and is controlled by single keys
            from ccgrid.terminal.echo import keys_hidden

            with keys_hidden():
                _load_and_run()
        else:
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                signal.signal(signal.SIGINT, signal.SIG_DFL)
            _load_and_run()
    except KeyboardInterrupt:  # while it loads
        os._exit(130)  # as a shell reports an interrupt


def _load_and_run() -> None:
    gc.disable()  # modules are never freed, so collections while loading would be wasted
    from ccgrid.app import main as carry_out

    gc.freeze()  # exclude the loaded modules from later collections
    gc.set_threshold(20_000)  # more new objects than the modules that a command loads have
    gc.enable()
    carry_out()
