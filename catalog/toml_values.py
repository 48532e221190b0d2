"""Values as one line of TOML."""

from collections.abc import Mapping, Sequence


def toml_value(value: object) -> str:
    """Return a value as one line of TOML; keys of tables whose value is None are omitted."""
    import tomli_w

    if isinstance(value, Mapping):
        parts = [f"{key} = {toml_value(part)}" for key, part in value.items() if part is not None]
        return "{ " + ", ".join(parts) + " }" if parts else "{}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    return tomli_w.dumps({"x": value}).removeprefix("x = ").rstrip("\n")
