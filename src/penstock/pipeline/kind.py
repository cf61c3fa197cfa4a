"""What becomes of a row: the one place that says so, after forwarding and with everything known of it."""

from pyspark.sql import Column
from pyspark.sql import functions as f

from penstock.pipeline.lines import is_blank

__all__ = ["HEADER", "KIND", "MATCHED", "REJECTED", "SKIPPED", "UNMATCHED", "kind_of"]

KIND = "__kind"
MATCHED, UNMATCHED, REJECTED, SKIPPED, HEADER = "matched", "unmatched", "rejected", "skipped", "header"


def kind_of(*, is_text: bool, error: Column) -> Column:
    """Matched, unmatched, rejected, or no message at all; nothing else, and never two of them."""
    found = f.when(error.isNotNull(), REJECTED).when(f.size("interfaces") > 0, MATCHED).otherwise(UNMATCHED)
    return f.when(is_blank(), SKIPPED).otherwise(found) if is_text else found
