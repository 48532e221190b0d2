"""The examples in docstrings, run as doctests."""

import doctest
from importlib import import_module

import pytest
from helpers.imported_modules import BESIDE, NAMES, ROOT

WITH_EXAMPLES = [name for name, path in NAMES.items() if b">>> " in (ROOT / path).read_bytes()]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_doctests_of_module_pass(name: str) -> None:
    package = name.partition(".")[0]
    module = import_module(f"ccgrid.{name}" if package in BESIDE else name)
    tried = doctest.testmod(module)
    assert tried.attempted > 0
    assert tried.failed == 0
