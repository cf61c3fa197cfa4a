"""The scenarios that come with the package, by their names.

They lie in `scenarios/` of the repository, and in the package wherever it is installed.
"""

from pathlib import Path

__all__ = ["shipped_scenarios"]

DIRECTORY = Path(__file__).parents[1] / "scenarios"


def shipped_scenarios() -> dict[str, Path]:
    """Names and files, in the order of the names."""
    return {path.stem: path for path in sorted(DIRECTORY.glob("*.toml"))}
