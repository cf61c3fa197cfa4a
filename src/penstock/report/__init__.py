"""The report of a run: one HTML page that needs nothing else, light or dark as the reader's screen is.

Takes plain values and knows nothing of Spark.
"""

import logging

try:
    import jinja2  # noqa: F401
    import matplotlib as mpl  # noqa: F401

    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)  # it tells when it looks for fonts
except ImportError as error:
    raise ImportError("penstock.report needs matplotlib and Jinja: pip install 'penstock[report]'") from error

from penstock.report.content import Bar, Chart, Fact, Mistake, Report, Sample, Step
from penstock.report.essay import Essay, Section, Table
from penstock.report.page import render, render_essay

__all__ = [
    "Bar", "Chart", "Essay", "Fact", "Mistake", "Report", "Sample", "Section", "Step", "Table", "render",
    "render_essay",
]  # fmt: skip
