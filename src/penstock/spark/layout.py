"""Where the files of compiled tables lie, and how they come into being: whole, or not at all.

    path/latest                             the version that is current
    path/versions/<version>/manifest.json   written last: a version without one is not there
    path/versions/<version>/<version>-00000.penstock, ...
    path/versions/<version>/rejected/00000.parquet, ...

A version is named after its content, so writing one a second time changes nothing. Its files have names like
no others, since those that are shipped to workers end up in one directory.
"""

import json
import os
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from penstock.errors import TableFileError

__all__ = ["Layout", "make_staging", "rejected_file", "shard_file", "staged_shard", "write_text"]


@dataclass(frozen=True, slots=True)
class Layout:
    """The directory of a table, with all its versions."""

    path: Path

    @classmethod
    def at(cls, path: str | os.PathLike[str]) -> "Layout":
        """The path as workers see it, who may start elsewhere."""
        return cls(Path(path).absolute())

    @property
    def latest(self) -> Path:
        """The file that names the current version."""
        return self.path / "latest"

    def version(self, version: str) -> Path:
        """The directory of one version."""
        return self.path / "versions" / version

    def stage(self) -> Path:
        """A new directory to build a version in."""
        staging = self.path / f"staging-{uuid.uuid4().hex}"
        make_staging(staging)
        return staging

    def publish(self, staging: Path, version: str, manifest: dict[str, Any]) -> None:
        """Make what was built a version, unless it is one already, and the current one."""
        target = self.version(version)
        if not (target / "manifest.json").exists():
            make_staging(target)
            for number in range(manifest["shards"]):
                (staging / staged_shard(number)).replace(target / shard_file(version, number))
                if (staging / rejected_file(number)).exists():
                    (staging / rejected_file(number)).replace(target / rejected_file(number))
            write_text(target / "manifest.json", json.dumps(manifest, indent=1) + "\n")
        write_text(self.latest, version + "\n")

    def manifest(self, version: str | None) -> tuple[str, dict[str, Any]]:
        """The name and the description of a version, or of the current one."""
        try:
            version = version or self.latest.read_text(encoding="utf-8").strip()
            read = dict(json.loads((self.version(version) / "manifest.json").read_text(encoding="utf-8")))
        except FileNotFoundError:
            known = f"holds no version {version}" if version else "holds no compiled table"
            raise TableFileError(str(self.path), f"{known}; compile_table writes one") from None
        except (TypeError, ValueError) as error:
            raise TableFileError(str(self.path), f"the manifest of {version} is damaged: {error}") from None
        return version, read


def make_staging(directory: Path) -> None:
    """The directories that a version has."""
    (directory / rejected_file(0)).parent.mkdir(parents=True, exist_ok=True)


def staged_shard(number: int) -> str:
    """The file of a shard while there is no version."""
    return f"{number:05}.penstock"


def shard_file(version: str, number: int) -> str:
    """The file of a shard, in the directory of its version."""
    return f"{version}-{staged_shard(number)}"


def rejected_file(number: int) -> str:
    """The file of the rows that were refused on the way into the shard; there if there are any."""
    return f"rejected/{number:05}.parquet"


def write_text(path: Path, text: str) -> None:
    """Replace a file by one with this text; readers see the one or the other."""
    beside = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        with beside.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
