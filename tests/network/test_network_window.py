"""A number counts as new once; what lies too far back, or is of an earlier incarnation, never."""

from hypothesis import given
from hypothesis import strategies as st

from penstock.network.window import SIZE, Window

numbers = st.integers(0, 20) | st.integers(SIZE - 3, SIZE + 3) | st.integers(0, 10**12)


@given(st.lists(st.tuples(st.integers(0, 2), numbers)))
def test_a_number_is_new_once_and_only_while_it_is_recent(offered: list[tuple[int, int]]) -> None:
    window = Window()
    seen: set[tuple[int, int]] = set()
    for incarnation, number in offered:
        latest = max((each for each, _ in seen), default=-1)
        highest = max((each for age, each in seen if age == incarnation), default=-1)
        expected = (
            (incarnation, number) not in seen
            and incarnation >= latest
            and (highest < 0 or number > highest - SIZE)
        )
        assert window.first(incarnation, number) == expected
        if expected:
            seen.add((incarnation, number))
