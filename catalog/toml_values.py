"""Keys and values of TOML on one line."""

from collections.abc import Mapping, Sequence
from functools import lru_cache


@lru_cache(maxsize=256)
def toml_key(key: str) -> str:
    """Return a key as TOML, in quotes if it needs them."""
    import tomli_w

    # Let the library decide whether a key needs quotes: it writes `key = 0`.
    return tomli_w.dumps({key: 0}).removesuffix(" = 0\n")


def toml_value(value: object) -> str:
    """Return a value as one line of TOML; keys of tables whose value is None are omitted."""
    if isinstance(value, Mapping):
        parts = [f"{toml_key(key)} = {toml_value(part)}" for key, part in value.items() if part is not None]
        return "{ " + ", ".join(parts) + " }" if parts else "{}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    import tomli_w

    # The library quotes and escapes; only the layout is ours.
    return tomli_w.dumps({"x": value}).removeprefix("x = ").rstrip("\n")
