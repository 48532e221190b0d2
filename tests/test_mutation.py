"""`scripts/mutate`: which mistakes it makes in a module, and that it tells those that no test notices."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

from mutants import mutants  # noqa: E402

TINY = '''"""A made-up module."""


def fee(weight: int, member: bool) -> int:
    """What a parcel costs."""
    if weight < 0:
        raise ValueError(f"a parcel of {weight} grams")
    return 0 if member else weight * 2
'''
TAXES = '''

def tax(weight: int) -> int:
    """What the state takes."""
    return weight + 1


def rebate(weight: int) -> int:
    """What is given back."""
    return weight - 1
'''
CHECKS = '''"""Checks a made-up module."""

import os
import subprocess
import sys
import threading

import pytest
from tiny import fee, tax


def test_the_fee_is_twice_the_weight():
    assert fee(3, False) == 6


def test_a_member_pays_nothing_in_a_thread():
    fees = []
    thread = threading.Thread(target=lambda: fees.append(fee(3, True)))
    thread.start()
    thread.join()
    assert fees == [0]


def test_the_tax_in_a_forked_process():
    child = os.fork()
    if not child:
        os._exit(tax(3) or 0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 4


def test_the_rebate_in_a_new_process():
    program = "from tiny import rebate; print(rebate(3))"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "2\\n"


def test_a_weight_is_not_below_nothing():
    with pytest.raises(ValueError, match="a parcel of -1 grams"):
        fee(-1, False)
'''


def replaced(source: str) -> set[tuple[str, str]]:
    """The kind and the new line of every mutant of one line."""
    return {(one.change, one.text.splitlines()[one.line - 1].strip()) for one in mutants(source)}


@pytest.mark.parametrize(
    ("source", "change", "mutant"),
    [
        ("a < b", "comparison", "(a <= b)"),
        ("a < b", "comparison", "(a >= b)"),
        ("a in b", "comparison", "(a not in b)"),
        ("a and b", "boolean", "(a or b)"),
        ("x = True", "constant", "x = False"),
        ("x = 3", "constant", "x = 4"),
        ("x = -a", "sign", "x = a"),
        ("x = not a", "sign", "x = a"),
        ("x = a + b", "arithmetic", "x = (a - b)"),
        ("x += b", "arithmetic", "x -= b"),
        ("save(a)", "removed statement", "pass"),
        ("x = a.strip()", "removed call", "x = a"),
        ("x = min(a, key=b)", "opposite call", "x = max(a, key=b)"),
        ("x = min(a, key=b)", "removed key", "x = min(a)"),
        ("x = a if b else c", "swapped branches", "x = (c if b else a)"),
        ("if a: pass", "swapped branches", "if (not a): pass"),
        ("x = [a for a in b if a]", "swapped branches", "x = [a for a in b if (not a)]"),
        ("raise Trouble('no card')", "text", "raise Trouble('XXno card')"),
        ("raise Trouble('no card')", "removed statement", "pass"),
        ("x = f'{a + 1} cards'", "text", "x = f'XX{a + 1} cards'"),
        ("x = f'{a + 1} cards'", "arithmetic", "x = f'{a - 1} cards'"),
        ("x = 'Æther' if a < 'Ü' else b", "comparison", "x = 'Æther' if (a <= 'Ü') else b"),
        ("def a(): return b", "return value", "def a(): return None"),
    ],
)
def test_each_kind_of_mistake_is_made(source: str, change: str, mutant: str) -> None:
    assert (change, mutant) in replaced(source)


def test_what_is_for_readers_and_type_checkers_stays_as_it_is() -> None:
    assert (
        mutants('"""Text."""\nimport a\nHow = Literal["id"]\nx: "int"\n@kept(3)\ndef b(c: "int") -> "int": ...\n') == []
    )


def test_every_mutant_of_a_real_module_is_a_module_that_differs_from_it() -> None:
    source = (ROOT / "catalog" / "collection" / "deck_files.py").read_text(encoding="utf-8")
    found = mutants(source)
    assert len({one.text for one in found} | {source}) == len(found) + 1 > 50
    for one in found:
        ast.parse(one.text)


def test_only_the_lines_of_the_change_are_shown() -> None:
    (one,) = [mutant for mutant in mutants(TINY) if mutant.change == "arithmetic"]
    assert one.diff(TINY).splitlines()[2:] == [
        "-    return 0 if member else weight * 2",
        "+    return 0 if member else (weight // 2)",
    ]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that can fork")
def test_mutants_that_no_test_notices_are_shown_and_the_tree_stays_as_it_is(tmp_path: Path) -> None:
    for name in ("mutate", "mutation.py", "mutation_marks.py", "mutants.py"):
        (tmp_path / "scripts").mkdir(exist_ok=True)
        shutil.copy(ROOT / "scripts" / name, tmp_path / "scripts" / name)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_tiny.py").write_text(CHECKS, encoding="utf-8")
    (tmp_path / "tiny.py").write_text(TINY + TAXES, encoding="utf-8")
    command = [sys.executable, "scripts/mutate", "tiny.py", "--tests", "tests/test_tiny.py", "--workers", "2"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # each of a dozen runs would load them all
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done
    *shown, counted = done.stdout.splitlines()
    assert [line for line in shown if line.startswith("+ ")] == [
        "+    if (weight <= 0):",
        "+    if weight < 1:",
        "+        raise ValueError(f'XXa parcel of {weight} grams')",
    ]
    assert counted == "tiny.py: 16 mutants, 13 killed, 0 timed out, 3 survived: 81 % noticed"
    assert (tmp_path / "tiny.py").read_text(encoding="utf-8") == TINY + TAXES
    assert not (tmp_path / "__pycache__").exists()


def test_what_a_parameter_is_without_an_argument_is_no_part_of_what_a_call_runs() -> None:
    found = mutants("def near(limit=3):\n    return [name for name in names if name][:limit]\n")
    assert {(one.change, one.in_function) for one in found if one.line == 1} == {("constant", False)}
    assert {one.in_function for one in found if one.line == 2} == {True}
