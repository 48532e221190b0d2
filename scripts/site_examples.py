"""Shows the examples in docstrings as code on the site's API page, where Markdown would make quotations of `>>>`."""

import re
from typing import Any

import griffe


class Examples(griffe.Extension):
    """Puts a fence around every example of a docstring."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Called by griffe with each module, class, function and attribute that it has read."""
        if obj.docstring:
            text = obj.docstring.value
            obj.docstring.value = re.sub(r"(?m)^>>> (?:.+\n?)+", lambda at: f"```pycon\n{at[0].rstrip()}\n```\n", text)
