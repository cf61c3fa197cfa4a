"""The public surface is small, sorted and exactly this."""

import importlib
from importlib.resources import files

import pytest

import penstock

PUBLIC = [
    "Constraint",
    "Filter",
    "FilterError",
    "ForwardingTable",
    "Limits",
    "MessageError",
    "Operator",
    "PenstockError",
    "Predicate",
    "Type",
    "parse",
]


def test_the_package_exports_exactly_these_names() -> None:
    assert list(penstock.__all__) == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    assert getattr(penstock, name).__doc__


@pytest.mark.parametrize(
    "module",
    ["penstock", "penstock.arrow", "penstock.errors", "penstock.explain", "penstock.language",
     "penstock.language.siena", "penstock.model", "penstock.oracle", "penstock.spark",
     "penstock.spark.workload", "penstock.topics", "penstock.topics.regex", "penstock.topics.table",
     "penstock.topics.translate"],
)  # fmt: skip
def test_every_module_says_its_idea_and_sorts_what_it_exports(module: str) -> None:
    loaded = importlib.import_module(module)
    assert loaded.__doc__
    assert list(loaded.__all__) == sorted(loaded.__all__)
    assert all(hasattr(loaded, name) for name in loaded.__all__)


def test_the_package_is_typed() -> None:
    assert files(penstock).joinpath("py.typed").is_file()
