"""A game at a pseudo-terminal: typed lines, and the output up to the next prompt."""

import re
import signal
import termios
import time
from pathlib import Path

import pexpect
from rich.cells import cell_len

from helpers.catalogues import Shell
from helpers.forked_program import at_terminal

STYLE = re.compile(r"\x1b\[[0-9;]*m|\x1b\[\?2004[hl]\r?|\x1b\[[0-9]*[KC]|\x1b\[\?1049[hl]")
"""Escape sequences of the program and the line editor: colours, bracketed paste, clearing a line."""

BAR = re.compile(r"\x1b\[(?:\?25[hl]|\d*A)")
"""Escape sequences that redraw a progress bar."""

CLEAR = "\x1b[H\x1b[2J"
"""The escape sequence that clears the screen between two players."""


REMATCH_PROMPT = r"\r\n\r\nAnother (?:game|match)[^>]*> "
"""The question after a game."""


class Terminal:
    """A game on a terminal; output is read up to the next prompt."""

    def __init__(self, shell: Shell, *arguments: str | Path, lines: int = 50, command: str = "play") -> None:
        environment = {**shell.environment(), "TERM": "xterm-256color", "PYTHONUTF8": "1"}
        for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"):
            environment.pop(name, None)
        self.child = at_terminal((command, *arguments), environment, folder=shell.folder, lines=lines)
        self.raw = ""

    def prompt(self, player: str = r"\w+") -> str:
        """Return the output before the next prompt."""
        self.child.expect(rf"\r\n(?:\x1b\[\?2004h)?({player})> ")
        return self._shown(self.child.before)

    def answer(self, line: str, player: str = r"\w+") -> str:
        """Type a line; return the output up to the next prompt, without the line's echo."""
        self.child.sendline(line)
        return self.prompt(player).partition("\n")[2]

    def wait_until_keys_are_read(self) -> None:
        """Wait until the command reads keys one by one; until then it draws nothing again after a suspension."""
        for _ in range(1200):
            if not termios.tcgetattr(self.child.child_fd)[3] & termios.ICANON:
                return
            time.sleep(0.1)
        raise AssertionError("no key is read")

    def suspend_and_resume(self) -> None:
        """Stop and continue the command as Ctrl-Z and fg do; meanwhile the terminal is as a shell sets it."""
        self.child.kill(signal.SIGSTOP)
        attributes = termios.tcgetattr(self.child.child_fd)
        attributes[3] |= termios.ECHO | termios.ICANON
        termios.tcsetattr(self.child.child_fd, termios.TCSANOW, attributes)
        self.child.kill(signal.SIGCONT)

    def rest(self) -> str:
        """Return the output until the command ends; the offer of another game is declined."""
        before = ""
        if self.child.expect([REMATCH_PROMPT, pexpect.EOF]) == 0:
            before = self.child.before
            self.child.sendline()
            self.child.expect(pexpect.EOF)
        self.child.close()
        return self._shown(before + self.child.before)

    def _shown(self, raw: str) -> str:
        self.raw += raw + "\r\n"
        return self.plain(raw)

    @property
    def status(self) -> int | None:
        return self.child.exitstatus

    def screens(self) -> list[str]:
        """Return the output between the clearings of the screen."""
        return [self.plain(raw) for raw in self.raw.split(CLEAR)]

    @staticmethod
    def plain(raw: str) -> str:
        return STYLE.sub("", raw).replace("\r\n", "\n")

    def check_widths(self) -> None:
        """Assert that no line is wider than the terminal, which would wrap it."""
        screens = [BAR.sub("", screen) for screen in self.screens()]
        lines = [line for screen in screens for line in re.split(r"[\r\n]", screen)]
        assert not [line for line in lines if cell_len(line) > 80]
