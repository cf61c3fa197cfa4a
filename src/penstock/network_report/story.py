"""The report of a simulation: which figures, in which words."""

import platform
from collections import Counter
from importlib.metadata import version

from penstock.network import Result
from penstock.network.scenario import Attend
from penstock.network_report.circumstance import (
    CIRCUMSTANCES,
    LABELS,
    count_circumstances,
    find_circumstances,
)
from penstock.network_report.metrics import describe_events
from penstock.network_report.picture import draw_network, link_messages
from penstock.network_report.plot import plot_latencies, plot_ranks, plot_settling, plot_time
from penstock.network_report.timeline import cut_time
from penstock.report import Bar, Chart, Essay, Fact, Section, Table

__all__ = ["tell"]

TOP = 12
EXAMPLES = 4
SHOWN = 40  # disturbances
PICTURE = (
    "Links are coloured, and drawn as wide, by the messages that they carried in both directions; routers by"
    " what came to them, and the larger their table, the larger they are. Point at one for its figures."
)
UNDRAWN = "There are too many routers for a picture; metrics.json has the load of every link."
TIME = (
    "Everything is counted in steps of {sample:g} s. Red lines mark failures, dotted ones recoveries."
    " A message counts as missed when it was published, and a delivery is late by the time since then."
)


def tell(result: Result, command: str) -> Essay:
    """Put the report together; the command is how it was made, but for the seed."""
    scenario, totals = result.scenario, result.totals
    hosts = sum(isinstance(event, Attend) for event in scenario.events)
    topology = scenario.topology
    late = result.latencies
    return Essay(
        title=scenario.name,
        lead=" ".join(scenario.description.split())
        or f"{len(topology.routers):,} routers, {len(topology.links):,} links, {hosts:,} hosts.",
        facts=[
            Fact(f"{len(topology.routers):,}", "routers"),
            Fact(f"{hosts:,}", "hosts"),
            Fact(f"{totals.published:,}", "messages"),
            Fact(f"{totals.delivered:,}", "deliveries"),
            Fact(f"{result.missed:,}", "missed"),
            Fact("–" if late is None else f"{late.median / 1000:,.1f} ms", "median delay"),
        ],
        sums=_sums(result),
        sections=[
            *_network(result),
            *_over_time(result),
            *_distributions(result),
            _missed(result),
            _again(command, scenario.seed),
        ],
        made=f"penstock {version('penstock')}, Python {platform.python_version()}"
        f" · format {scenario.format} · seed {scenario.seed} · {scenario.duration / 1e6:g} s simulated",
    )


def _sums(result: Result) -> list[str]:
    """What was due and what came; a delivery may come although it was not due by the strict rule."""
    totals = result.totals
    came = result.due - result.missed
    extra = totals.delivered - came
    lines = [f"{result.due:,} deliveries due = {came:,} came + {result.missed:,} missed"]
    if extra:
        lines.append(
            f"{totals.delivered:,} deliveries = {came:,} that were due + {extra:,} to hosts that withdrew"
            " an interest just before, subscribed just after, or could be reached only then"
        )
    if not totals.repeated:
        lines.append("no host got a message twice")
    return lines


def _network(result: Result) -> list[Section]:
    """The picture, and the traffic of links."""
    loads = link_messages(result)
    totals = result.totals
    drawing = draw_network(result)
    busiest = sorted(result.links, key=lambda each: (-each.messages, each.start, each.end))[:TOP]
    talk = sorted(result.links, key=lambda each: (-each.control, each.start, each.end))[:TOP]
    idle = sum(not load for load in loads.values())
    text = (
        f"{totals.messages:,} messages crossed a link, {totals.messages / max(totals.published, 1):.1f} for"
        f" each published, with {totals.header_ids / max(totals.messages, 1):.1f} ids or attributes in a"
        f" header; {idle:,} of {len(loads):,} links carried none."
    )
    if totals.bytes:
        text += (
            f" All frames together took {totals.bytes:,} bytes, {totals.control_bytes:,} of them for control."
        )
    charts = []
    if busiest:
        charts = [
            Chart(
                "Busiest", "Messages in one direction.", "messages",
                [Bar(f"{load.start} → {load.end}", load.messages) for load in busiest],
            ),
            Chart(
                "Most talkative", "Control frames in one direction.", "frames",
                [Bar(f"{load.start} → {load.end}", load.control) for load in talk],
            ),
        ]  # fmt: skip
    return [
        Section("The network, by load", PICTURE if drawing else UNDRAWN, drawing=drawing),
        Section("Traffic per link", text, plot_ranks(list(loads.values()), "links", "messages"), charts),
    ]


def _over_time(result: Result) -> list[Section]:
    """How it went, and how long failures kept routers busy."""
    line = cut_time(result)
    end = line.edges[-1]
    text = TIME.format(sample=round(line.edges[1] - line.edges[0], 6))
    sections = [Section("Over time", text, plot_time(line, result.disturbances))]
    found = result.disturbances
    if not found:
        return [*sections, Section("After failures", "Nothing failed.")]
    longest = max(found, key=lambda each: each.settled)
    rows = [
        (
            f"{each.at / 1e6:,.2f}",
            describe_events(each.events),
            f"{each.settled / 1000:,.1f}",
            f"{each.control:,}",
        )
        for each in found[:SHOWN]
    ]
    text = (
        f"After each failure and recovery, how long until routers had nothing left to tell each other; at"
        f" most {longest.settled / 1000:,.1f} ms. What hosts changed meanwhile is part of it."
    )
    if len(found) > SHOWN:
        text += f" The first {SHOWN} of {len(found):,} are listed."
    table = Table(["#second", "what", "#ms until settled", "#control frames"], rows)
    return [*sections, Section("After failures", text, plot_settling(found, end), table=table)]


def _distributions(result: Result) -> list[Section]:
    """Tables and delays."""
    sizes = list(result.tables.values())
    largest = sorted(result.tables.items(), key=lambda pair: (-pair[1], pair[0]))[:TOP]
    down = len(result.scenario.topology.routers) - len(sizes)
    text = (
        f"Distinct entries in the table of each router at the end: {sum(sizes) / max(len(sizes), 1):,.1f} on"
        f" average, {max(sizes, default=0):,} at most."
    )
    if down:
        text += f" Not counted, for they were down: {down:,}."
    charts = [
        Chart(
            "Largest", "Entries at the end.", "entries", [Bar(f"router {id_}", size) for id_, size in largest]
        )
    ]
    sections = [
        Section("Table sizes", text, plot_ranks(sizes, "routers", "entries"), charts if largest else ()),
    ]
    late = result.latencies
    if late is None:
        return [*sections, Section("Delay", "Nothing was delivered.")]
    text = (
        f"Half of the deliveries took at most {late.median / 1000:,.1f} ms, 90 of 100 at most"
        f" {late.p90 / 1000:,.1f}, 99 at most {late.p99 / 1000:,.1f}, and the slowest"
        f" {late.largest / 1000:,.1f}."
    )
    return [*sections, Section("Delay", text, plot_latencies(result))]


def _missed(result: Result) -> Section:
    """What did not come, and what went on then."""
    title = "What was missed, and why"
    ends = [
        f"Not published, for their source was down: {result.not_published:,}."
        if result.not_published
        else "",
        _dropped(result),
    ]
    if not result.missed:
        return Section(title, " ".join(["Nothing was missed.", *filter(None, ends)]))
    text = (
        f"{result.missed:,} of {result.due:,} deliveries did not come, although the host had asked and could"
        " be reached when the message was published. Messages are sent once and not repeated."
    )
    bars = [Bar(LABELS[name], count) for name, count in count_circumstances(result).items()]
    return Section(
        title,
        " ".join([text, *filter(None, ends)]),
        charts=[Chart("Circumstances", "What went on then; below, the first of each.", "misses", bars)],
        table=Table(
            ["#published, s", "#at router", "host that missed it", "circumstance"], _examples(result)
        ),
    )


def _examples(result: Result) -> list[tuple[str, str, str, str]]:
    """The first few misses of each circumstance."""
    seen: Counter[str] = Counter()
    rows = []
    for miss, why in zip(result.misses, find_circumstances(result), strict=True):
        seen[why] += 1
        if seen[why] <= EXAMPLES:
            message = result.publications[miss.publication]
            rows.append((f"{message.at / 1e6:,.3f}", f"{message.source}", miss.host, CIRCUMSTANCES[why]))
    return rows


def _dropped(result: Result) -> str:
    """Frames that were lost, and what routers dropped."""
    totals = result.totals
    counts = {
        "frames lost by chance": totals.lost,
        "messages not from the next hop towards their source": totals.stray,
        "messages that reached a router twice": totals.duplicate,
        "control frames that were old or repeated": totals.old,
        "control frames refused": totals.refused,
    }
    said = "; ".join(f"{what}: {count:,}" for what, count in counts.items() if count)
    return f"Lost or dropped in all: {said}." if said else ""


def _again(command: str, seed: int) -> Section:
    return Section(
        "The same again",
        "A scenario and its seed decide everything: the same command gives the same figures.",
        commands=[
            ("This report", f"{command} --seed {seed}"),
            ("Another draw of all that is left to chance", f"{command} --seed {seed + 1}"),
        ],
    )
