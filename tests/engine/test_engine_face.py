"""What `from ccgrid import engine` shows: the names that programs may rely on, loaded when they are used."""

import doctest
import subprocess
import sys

import pytest

from ccgrid import engine


def test_every_listed_name_is_there_and_every_name_is_listed():
    assert dir(engine) == sorted(engine.__all__)
    assert set(engine.__all__) == set(engine._MODULES)
    for name in engine.__all__:
        assert getattr(engine, name) is not None


def test_the_example_runs():
    assert doctest.testmod(engine).failed == 0
    assert doctest.testmod(engine).attempted == 5


def test_another_name_is_an_error():
    with pytest.raises(AttributeError, match=r"^module 'ccgrid.engine' has no attribute 'Chess'$"):
        engine.Chess  # noqa: B018  asking is what fails


def test_importing_loads_no_game():
    loaded = "any(name.startswith('ccgrid.engine.') for name in sys.modules)"
    code = f"import sys; from ccgrid import engine; sys.exit({loaded})"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
