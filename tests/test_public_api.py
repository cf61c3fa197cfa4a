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


def rank(name: str) -> tuple[bool, bool, str]:
    """Constants, classes, functions: the order that the linter keeps."""
    return not name.isupper(), not name[0].isupper(), name


@pytest.mark.parametrize(
    "module",
    ["penstock", "penstock.arrow", "penstock.errors", "penstock.explain", "penstock.language",
     "penstock.language.siena", "penstock.model", "penstock.network", "penstock.oracle", "penstock.papers",
     "penstock.papers.axis", "penstock.papers.catalogue", "penstock.papers.chart",
     "penstock.papers.comparison", "penstock.papers.dots", "penstock.papers.experiment",
     "penstock.papers.label", "penstock.papers.machine", "penstock.papers.markdown",
     "penstock.papers.measuring", "penstock.papers.page", "penstock.papers.picture",
     "penstock.papers.published", "penstock.papers.report", "penstock.papers.result",
     "penstock.papers.runner", "penstock.papers.story", "penstock.papers.structures",
     "penstock.papers.timing", "penstock.spark",
     "penstock.spark.network", "penstock.spark.workload", "penstock.structures",
     "penstock.structures.application",
     "penstock.structures.attributes", "penstock.structures.baseball", "penstock.structures.category",
     "penstock.structures.census", "penstock.structures.content", "penstock.structures.content_graph",
     "penstock.structures.content_list",
     "penstock.structures.disjoint", "penstock.structures.filters", "penstock.structures.format",
     "penstock.structures.graph_table", "penstock.structures.identifier", "penstock.structures.order",
     "penstock.structures.overlapping", "penstock.structures.place", "penstock.structures.register",
     "penstock.structures.subscriber", "penstock.structures.traffic", "penstock.structures.wire",
     "penstock.topics", "penstock.topics.regex", "penstock.topics.table",
     "penstock.topics.translate"],
)  # fmt: skip
def test_every_module_says_its_idea_and_sorts_what_it_exports(module: str) -> None:
    loaded = importlib.import_module(module)
    assert loaded.__doc__
    assert list(loaded.__all__) == sorted(loaded.__all__, key=rank)
    assert all(hasattr(loaded, name) for name in loaded.__all__)


def test_the_package_is_typed() -> None:
    assert files(penstock).joinpath("py.typed").is_file()
