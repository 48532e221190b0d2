"""Numbers of bytes in words."""


def amount(size: int) -> str:
    """A number of bytes as people write it.

    >>> amount(512), amount(1_500_000)
    ('512 bytes', '1.5 MB')
    """
    if size < 1000:
        return f"{size} bytes"
    value = float(size)
    for unit in ("kB", "MB", "GB"):
        value /= 1000
        if value < 1000:
            return f"{value:.1f} {unit}"
    return f"{value / 1000:.1f} TB"
