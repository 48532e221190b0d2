"""Show the examples in docstrings as code on the site's API page; Markdown would turn `>>>` into quotations."""

import re
from typing import Any

import griffe


class Examples(griffe.Extension):
    """An extension of griffe that puts a fence around every example of a docstring."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Fence the examples of a module, class, function or attribute; griffe calls this for each."""
        if obj.docstring:
            text = obj.docstring.value
            obj.docstring.value = re.sub(r"(?m)^>>> (?:.+\n?)+", lambda at: f"```pycon\n{at[0].rstrip()}\n```\n", text)
