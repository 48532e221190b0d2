"""Writes files whole: what was there stays as it was until the new file is complete."""

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Writes a text as UTF-8 so that the file is there whole or, if anything goes wrong, as it was; raises OSError."""
    target = path.resolve()  # what a link points to is written, and the link stays
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass", newline="\n") as file:
            file.write(text)
        Path(temporary).chmod(target.stat().st_mode if target.exists() else 0o666 & ~_umask())
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
