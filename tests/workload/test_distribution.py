"""The laws have the weights they are named for, and drawing follows the weights."""

import numpy as np
import pytest

from penstock.workload.distribution import Distribution, Linear, Mix, Uniform, Zipf, draw, draw_range


def rng() -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(7))


def test_weights_of_the_laws() -> None:
    assert Uniform().weights(3).tolist() == [1, 1, 1]
    assert Linear().weights(4).tolist() == [4, 3, 2, 1]
    assert Zipf().weights(4).tolist() == pytest.approx([1, 1 / 2, 1 / 3, 1 / 4])
    assert Zipf(s=2).weights(3).tolist() == pytest.approx([1, 1 / 4, 1 / 9])
    assert Distribution(2, Linear()).weights().tolist() == [2, 1]


def test_draws_follow_the_weights() -> None:
    drawn = np.bincount(draw(rng(), np.array([5.0, 0.0, 3.0, 2.0]), 100_000), minlength=4) / 100_000
    assert drawn[1] == 0
    assert drawn.tolist() == pytest.approx([0.5, 0, 0.3, 0.2], abs=0.01)


def test_ranges_are_half_open_and_reach_both_ends() -> None:
    drawn = draw_range(rng(), range(1, 10), 10_000)
    assert set(drawn.tolist()) == set(range(1, 10))
    assert np.bincount(drawn)[1:].tolist() == pytest.approx([10_000 / 9] * 9, rel=0.15)


def test_a_mix_scales_its_shares_and_refuses_senseless_ones() -> None:
    assert Mix((("a", 3), ("b", 1))).weights().tolist() == [0.75, 0.25]
    with pytest.raises(ValueError, match="negative"):
        Mix((("a", 2), ("b", -1)))
    with pytest.raises(ValueError, match="zero"):
        Mix((("a", 0),))
