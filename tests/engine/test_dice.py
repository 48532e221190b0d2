"""Tests of the random number generator: the documented stream, uniformity, and dependence on the seed alone."""

import re
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccgrid.engine.dice import MAX_SIDES, Dice

DOCUMENTED = Path(__file__).parents[2] / "docs" / "records.md"
WORDS = 2**64

seeds = st.integers(0, WORDS - 1)


class NaiveDice:
    """A naive implementation of the generator, as documented."""

    def __init__(self, seed):
        self.seed = self.state = seed % WORDS

    def mix(self, z):
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORDS
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORDS
        return z ^ (z >> 31)

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) % WORDS
        return self.mix(self.state)

    def below(self, n):
        while True:
            m = (self.bits() >> 32) * n
            if m % 2**32 >= 2**32 % n:
                return m >> 32

    def permutation(self, n):
        numbers = list(range(n))
        for i in range(n - 1):
            other = i + self.below(n - i)
            numbers[i], numbers[other] = numbers[other], numbers[i]
        return numbers

    def fork(self, number):
        return NaiveDice(self.mix((self.mix(self.seed) + number * 0x9E3779B97F4A7C15) % WORDS) >> 11)


def documented_numbers(name):
    row = re.search(rf"^\| {re.escape(name)} \| ([\d, ]+) \|$", DOCUMENTED.read_text(encoding="utf-8"), re.MULTILINE)
    return [int(number) for number in row[1].split(", ")]


def test_stream_equals_documentation():
    dice = Dice(1234567)
    assert [dice.bits() for _ in range(5)] == documented_numbers("`Dice(1234567)`, `bits()` five times")
    dice = Dice(7)
    assert [dice.below(6) for _ in range(10)] == documented_numbers("`Dice(7)`, `below(6)` ten times")
    assert Dice(7).permutation(9) == documented_numbers("`Dice(7).permutation(9)`")
    assert Dice(7).sample(50_000, 5) == documented_numbers("`Dice(7).sample(50000, 5)`")
    forks = [Dice(7).fork(number).seed for number in (1, 2, 3)]
    assert forks == documented_numbers("`Dice(7).fork(1).seed`, `fork(2)`, `fork(3)`")


def test_stream_equals_published_splitmix64():
    dice = Dice(1234567)
    assert [dice.bits() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@given(seeds, st.lists(st.integers(1, MAX_SIDES) | st.integers(3 * 2**30, MAX_SIDES), max_size=8), st.integers(0, 60))
def test_methods_equal_naive_implementation_of_documentation(seed, sides, count):
    dice, plain = Dice(seed), NaiveDice(seed)
    assert [dice.below(number) for number in sides] == [plain.below(number) for number in sides]
    assert dice.permutation(count) == plain.permutation(count)
    assert dice.bits() == plain.bits()
    assert dice.fork(count).seed == plain.fork(count).seed == Dice(seed).fork(count).seed


@given(seeds, st.integers(0, 30), st.data())
def test_sample_is_prefix_of_permutation(seed, size, data):
    count = data.draw(st.integers(0, size))
    assert Dice(seed).sample(size, count) == Dice(seed).permutation(size)[:count]


@given(seeds)
def test_shuffled_and_choose_follow_the_stream(seed):
    assert Dice(seed).shuffled("abcdefgh") == ["abcdefgh"[place] for place in Dice(seed).permutation(8)]
    assert Dice(seed).choose("abcdefgh") == "abcdefgh"[Dice(seed).below(8)]


def test_biased_draws_are_repeated():
    sides = 3 * 2**30  # a quarter of the 2**32 numbers is rejected
    dice, plain = Dice(1), NaiveDice(1)
    drawn = [dice.below(sides) for _ in range(400)]
    assert drawn == [plain.below(sides) for _ in range(400)]
    words = NaiveDice(1)
    for _ in range(400):
        words.bits()
    assert dice.bits() not in (words.bits(), words.bits())
    thirds = Counter(number // 2**30 for number in drawn)
    assert set(thirds) == {0, 1, 2}
    assert min(thirds.values()) > 400 / 3 * 0.75


def test_permutations_are_uniform():
    counts = Counter(tuple(Dice(seed).permutation(4)) for seed in range(24 * 400))
    assert set(counts) == set(permutations(range(4)))
    expected = 400
    # Chi-squared, 23 degrees of freedom: 0.1 %.
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 49.7


def test_forks_differ_and_have_53_bits():
    found = {Dice(seed).fork(number).seed for seed in range(60) for number in range(60)}
    assert len(found) == 3600
    assert max(found) < 2**53
    assert max(found) > 2**52


def test_only_64_lowest_bits_of_seed_count():
    assert Dice(WORDS + 5).bits() == Dice(5).bits()
    assert Dice(-1).bits() == Dice(WORDS - 1).bits()


@given(seeds, st.integers(0, 5))
def test_state_continues_stream(seed, count):
    dice = Dice(seed)
    for _ in range(count):
        dice.bits()
    assert Dice(dice.state).bits() == dice.bits()


def test_repr_shows_seed():
    assert repr(Dice(12)) == "Dice(12)"


@pytest.mark.parametrize("sides", [0, -1, MAX_SIDES + 1])
def test_below_rejects_invalid_number_of_sides(sides):
    with pytest.raises(ValueError, match=f"^dice have 1 to 4294967296 sides, not {sides}$"):
        Dice(1).below(sides)


@pytest.mark.parametrize(("size", "count"), [(3, 4), (0, 1), (3, -1)])
def test_sample_rejects_too_large_count(size, count):
    with pytest.raises(ValueError, match=f"^cannot take {count} of {size} different numbers$"):
        Dice(1).sample(size, count)


def test_choose_from_empty_sequence_raises():
    with pytest.raises(ValueError, match="sides, not 0"):
        Dice(1).choose([])
