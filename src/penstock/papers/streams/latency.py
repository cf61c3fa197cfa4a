"""Figure 1: how long a stream fragment takes from the producer by the broker to the consumer, by payload.

The paper's setting is one subscription with one attribute. Beside it, a broker that holds as many
subscriptions of others as the other figures have, and finds the consumer among them.
"""

from collections.abc import Iterator, Sequence
from random import Random
from statistics import mean, stdev

from penstock.papers.experiment import Claim, Experiment, Plot, Point, Reading, Readings, Scale
from penstock.papers.streams.circuit import open_circuit
from penstock.papers.streams.growth import listed
from penstock.papers.streams.sweep import LARGEST, SEED
from penstock.papers.streams.workload import VALUES
from penstock.papers.timing import count, spread
from penstock.topics import Scheme

__all__ = ["LATENCY"]

DELAY, DEVIATION, MATCHING = "delay", "standard deviation", "computing destinations"
PAYLOADS = (100, 1_000, 10_000, 100_000, 1_000_000)
SAMPLES, WARM_UP = 50, 10
MANY = 7  # attributes of the fragments, and of the subscriptions of others
ONE = "one subscription"
CROWDS: dict[Scheme, str] = {scheme: f"many subscriptions, {scheme}" for scheme in ("radix", "tree", "hash")}


def sweep(scale: Scale) -> Sequence[Point]:
    """The paper's setting, and a full table of each native scheme."""
    crowd = {"subscriptions": LARGEST[scale], "attributes": MANY}
    return [
        Point(ONE, {"series": ONE, "scheme": "radix", "subscriptions": 0, "attributes": 1}),
        *(
            Point(name, {"series": name, "scheme": scheme, **crowd})
            for scheme, name in CROWDS.items()
        ),
    ]  # fmt: skip


def measure(point: Point) -> Iterator[Reading]:
    """All payloads through one broker: mean delays, as in the paper; of matching, which is short, medians."""
    at, draw = point.settings, Random(SEED)
    series, scheme, attributes = str(at["series"]), at["scheme"], int(at["attributes"])
    with open_circuit(scheme, int(at["subscriptions"]), attributes, SEED) as circuit:  # type: ignore[arg-type]
        circuit.subscribe("v0")
        for size in PAYLOADS:
            payload = draw.randbytes(size)
            topics = [_topic(draw, attributes) for _ in range(WARM_UP + SAMPLES)]
            taken = [circuit.time_fragment(topic, payload) for topic in topics][WARM_UP:]
            delays, matching = zip(*taken, strict=True)
            low, high = min(delays) * 1e-6, max(delays) * 1e-6
            yield Reading(series, str(size), DELAY, "ms", mean(delays) * 1e-6, low, high)
            yield count(series, size, DEVIATION, stdev(delays) * 1e-6, "ms")
            yield spread(series, size, MATCHING, "µs", matching, each=1e-3)


def _topic(draw: Random, attributes: int) -> str:
    """A content descriptor that the consumer, who wants `v0`, is among the destinations of."""
    return "/".join(["v0", *(f"v{draw.randrange(VALUES)}" for _ in range(attributes - 1))])


def claims(readings: Readings) -> Iterator[Claim]:
    """The delays, and the share of them that matching takes."""
    delays = {size: readings.get(DELAY, ONE, size) for size in PAYLOADS}
    found = listed(f"{size:,} bytes: {delay:.3g} ms" for size, delay in delays.items())
    yield Claim(
        "§4.2: delays are around a millisecond for payloads of up to 10 KB (2 ms or less).",
        holds=max(delay for size, delay in delays.items() if size <= 10_000) <= 2,
        found=found,
        because="the machine was busy with something else",
    )
    wire = 8 * 1_000_000 / 100e6 * 1e3
    yield Claim(
        "§4.2: 1 MB takes 20 ms by a LAN of 100 Mbps.",
        holds=wire <= 20,
        found=f"{delays[1_000_000]:.3g} ms here, where there is no wire",
        because=f"8 million bits take {wire:.0f} ms by each of two links of 100 Mbps, to the broker and from "
        "it; 20 ms are what links of 1 Gbps would give",
    )
    share = _greatest_share(readings, ONE)
    yield Claim(
        "§4.1: computing destinations with a good algorithm is a fraction of the delay (less than half).",
        holds=share < 0.5,
        found=f"{100 * share:.2g}% of it at most, with one subscription",
        always=True,
    )
    crowds = {scheme: _greatest_share(readings, name) for scheme, name in CROWDS.items()}
    yield Claim(
        "§4.1: it stays a fraction of the delay (less than half) in a broker with many subscriptions.",
        holds=max(crowds.values()) < 0.5,
        found=listed(f"{scheme} {100 * each:.2g}%" for scheme, each in crowds.items()),
        because="a topic with many destinations takes as long as it takes to name them",
    )
    yield Claim(
        "With the default scheme of penstock, radix, computing destinations takes less than a twentieth of "
        "the delay.",
        holds=max(crowds["radix"], share) < 0.05,
        found=f"{100 * max(crowds['radix'], share):.2g}% of it at most, with one subscription or many",
        because="a topic with many destinations takes as long as it takes to name them",
        ours=True,
    )


def _greatest_share(readings: Readings, series: str) -> float:
    """What part of the delay is matching, for the payload where it is most."""
    return max(
        readings.get(MATCHING, series, size) / 1e3 / readings.get(DELAY, series, size) for size in PAYLOADS
    )


LATENCY = Experiment(
    key="streams-fig1",
    paper="streams",
    figure="Figure 1",
    shows="delay from producer to consumer by payload, over real sockets",
    timed=True,
    sweep=sweep,
    measure=measure,
    claims=claims,
    plots=(
        Plot(DELAY, "Figure 1: delay by payload", "bytes of payload", "ms", log_x=True, log_y=True),
        Plot(MATCHING, "What of it is matching", "bytes of payload", "µs", log_x=True, log_y=True),
    ),
)
