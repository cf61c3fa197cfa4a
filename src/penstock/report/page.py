"""The page: a template, a style sheet and the plots, put together into one text."""

from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined

from penstock.report.content import Report
from penstock.report.essay import Essay
from penstock.report.plot import plot_days, plot_fan_out, plot_steps

__all__ = ["render", "render_essay", "render_template"]

TEMPLATES = files("penstock.report") / "templates"


def render(report: Report) -> str:
    """The report as HTML that needs nothing but itself."""
    steps = [step for step in report.steps if step.seconds >= 0.05]
    return (
        _environment()
        .get_template("page.html")
        .render(
            report=report,
            style=_load("style.css"),
            steps_plot=plot_steps([step.label for step in steps], [step.seconds for step in steps]),
            fan_out_plot=plot_fan_out(report.fan_out),
            days_plot=plot_days(report.days),
        )
    )


def render_essay(essay: Essay) -> str:
    """A report in sections as HTML that needs nothing but itself."""
    return _environment().get_template("essay.html").render(essay=essay, style=_load("style.css"))


def render_template(name: str, *, filters: Mapping[str, Callable[..., str]], **content: Any) -> str:
    """Another page in the same style: a template with filters of its own."""
    environment = _environment()
    environment.filters.update(filters)
    return environment.get_template(name).render(style=_load("style.css"), **content)


def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_load),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = lambda value: f"{value:,.0f}"
    return environment


def _load(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")
