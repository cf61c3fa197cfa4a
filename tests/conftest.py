"""How hard Hypothesis tries: `ci` by default, `soak` for a night (HYPOTHESIS_PROFILE=soak)."""

import os

from hypothesis import HealthCheck, settings

# Generating a table and its messages is slow by Hypothesis' standards, and meant to be.
UNHURRIED = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile(
    "ci",
    max_examples=150,
    stateful_step_count=30,
    deadline=None,
    print_blob=True,
    suppress_health_check=UNHURRIED,
)
settings.register_profile(
    "soak", parent=settings.get_profile("ci"), max_examples=20_000, stateful_step_count=100
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
