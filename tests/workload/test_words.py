"""The dictionary is usable as it is for unquoted names and for values."""

import re

import pytest

from penstock import parse
from penstock.workload.words import dictionary, names, strings


def test_words_are_distinct_and_plain() -> None:
    words = dictionary()
    assert len(words) == len(set(words)) == 4000
    assert all(re.fullmatch("[a-z]{2,12}", word) for word in words)


def test_every_word_is_a_plain_name_in_the_filter_language() -> None:
    for word in dictionary():
        (only,) = parse(f"int {word} = 1").filters
        assert [constraint.name for constraint in only] == [word]
        assert parse(f"{word} = 1") == parse(f"`{word}` = 1")


def test_names_and_string_values_are_disjoint_at_the_sizes_of_the_papers() -> None:
    assert len(set(names(1000))) == len(set(strings(1000))) == 1000
    assert not set(names(1000)) & set(strings(1000))


def test_a_smaller_set_is_the_start_of_a_larger_one() -> None:
    assert names(50) == names(1000)[:50]
    assert strings(50) == strings(1000)[:50]


@pytest.mark.parametrize("count", [-1, 0, 4001])
def test_sets_the_dictionary_cannot_give_are_refused(count: int) -> None:
    for take in (names, strings):
        with pytest.raises(ValueError, match=f"{count} words"):
            take(count)
