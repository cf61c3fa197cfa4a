"""What a run came to, for people: sums that can be checked by eye, and the first rows that were rejected."""

import sys
from pathlib import Path

from penstock.cli.check import counted
from penstock.pipeline.ledger import Ledger, SubscriptionCounts

__all__ = ["show_rejected", "subscription_sum", "sums"]

SHOWN = 3


def sums(ledger: Ledger, interfaces: int) -> list[str]:
    """The accounts, as equations."""
    lines = [] if ledger.subscriptions is None else [subscription_sum(ledger.subscriptions)]
    lines.append(
        f"{counted(ledger.messages, 'message')} = {ledger.matched:,} matched + {ledger.unmatched:,} unmatched"
        f" + {ledger.rejected:,} rejected"
    )
    lines.append(f"{counted(ledger.deliveries, 'delivery')} to {counted(interfaces, 'interface')}")
    return lines


def subscription_sum(counts: SubscriptionCounts) -> str:
    """`120 subscriptions = 117 compiled + 3 rejected`."""
    rows = counted(counts.rows - counts.skipped, "subscription")
    return f"{rows} = {counts.compiled:,} compiled + {counts.rejected:,} rejected"


def show_rejected(directory: Path, count: int) -> None:
    """The first few on standard error, like `penstock check` shows them, and where the others are."""
    if not count:
        return
    import pyarrow.parquet as pq  # noqa: PLC0415 - it takes a while

    rows = pq.ParquetDataset(directory).read(columns=["file", "line", "error"]).slice(0, SHOWN).to_pylist()
    print(f"penstock: {counted(count, 'row')} rejected; see {directory}", file=sys.stderr)
    for row in rows:
        print(f"{row['file']}:{row['line']}: {row['error']}", file=sys.stderr)
