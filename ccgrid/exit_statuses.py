"""The exit statuses of commands."""

from typing import Final

DONE: Final = 0
NOT_VALID: Final = 1  # or nothing was found
WRONG_COMMAND_LINE: Final = 2
NOT_DONE: Final = 3
INTERRUPTED: Final = 130  # 128 + SIGINT, as shells report it
READER_GONE: Final = 141  # 128 + SIGPIPE, the status of a program after `head` has closed the pipe
