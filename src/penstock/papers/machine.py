"""Where and from what something was measured: a figure without that says nothing."""

import os
import platform
import subprocess
from pathlib import Path

import numpy as np

__all__ = ["describe_commit", "describe_machine"]


def describe_machine() -> dict[str, str]:
    """The machine, its processor, and what runs on it."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "machine": f"{platform.system()} {platform.release()} {platform.machine()}, {memory:.0f} GiB",
        "cpu": f"{_cpu()}, {os.cpu_count()} logical cores, one thread used",
        "python": f"{platform.python_version()}, numpy {np.__version__}",
    }


def describe_commit(path: Path) -> str:
    """The commit of the checkout that holds a file, and whether it has been changed since."""
    git = ["git", "--no-optional-locks", "-C", str(path.parent)]
    try:
        head = subprocess.check_output([*git, "rev-parse", "--short=12", "HEAD"], stderr=subprocess.DEVNULL)
        changes = subprocess.check_output([*git, "status", "--porcelain"], stderr=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError):
        return "unknown (not in a git checkout with a commit)"
    return head.decode().strip() + (" with local changes" if changes.strip() else "")


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or "unknown"
