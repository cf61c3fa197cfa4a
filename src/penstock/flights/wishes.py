"""What people write: one function per kind of subscription, each around a departure that really took place.

A wish takes a source of chance and one departure (a row as a mapping, None where the data has nothing), and
gives a filter in the text language. Between them they use every operator.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, TypeAlias

__all__ = [
    "Departure",
    "Wish",
    "airframe",
    "booked",
    "cancelled",
    "commuter",
    "curfew",
    "desk",
    "diverted",
    "family_of_flights",
    "fleet",
    "holiday",
    "incomplete",
    "late_arrival",
    "market",
    "model",
    "old_timer",
    "operator_livery",
    "route",
    "season",
    "shuttle",
    "unregistered",
]

Departure: TypeAlias = Mapping[str, Any]
Wish: TypeAlias = Callable[[Random, Departure], str]

AIRPORTS = ["EWR", "JFK", "LGA"]
CARRIERS = ["9E", "AA", "B6", "DL", "EV", "MQ", "UA", "US", "WN"]


# Travellers, through their agencies.


def booked(draw: Random, seen: Departure) -> str:
    """One departure that somebody has a seat on."""
    day = f"flight = '{seen['flight']}' AND month = {seen['month']} AND day = {seen['day']}"
    return day if draw.random() < 0.4 else f"{day} AND {_trouble(draw)}"


def commuter(draw: Random, seen: Departure) -> str:
    """The same flight every week, if something is wrong with it."""
    return f"flight = '{seen['flight']}' AND origin = '{seen['origin']}' AND {_trouble(draw)}"


def route(draw: Random, seen: Departure) -> str:
    """A route at some time of the day, late."""
    hour = seen["hour"]
    parts = [
        f"origin = '{seen['origin']}'",
        f"dest = '{seen['dest']}'",
        f"hour BETWEEN {hour - draw.randrange(2)} AND {hour + draw.randrange(3)}",
        f"month = {seen['month']}",
        f"dep_delay >= {_minutes(draw, 30, 240)}",
    ]
    if draw.random() < 0.3:
        parts.append(f"NOT carrier IN {_some(draw, CARRIERS, 2)}")
    return " AND ".join(parts)


# Hotels and shuttles where people arrive.


def late_arrival(draw: Random, seen: Departure) -> str:
    """Guests who come in the night and may want a bed."""
    late = f"dest = '{seen['dest']}' AND arr_delay > {_minutes(draw, 120, 360)}"
    return f"{late} AND hour >= {draw.randrange(17, 22)} AND month = {seen['month']}"


def shuttle(draw: Random, seen: Departure) -> str:
    """A bus that waits for one flight, or drives without it."""
    wait = _minutes(draw, 20, 90)
    return (
        f"dest = '{seen['dest']}' AND flight = '{seen['flight']}' AND "
        f"(arr_delay > {wait} OR NOT EXISTS arr_time) AND day <= {draw.randrange(5, 28)}"
    )


# The desk of an airline at an airport.


def desk(draw: Random, seen: Departure) -> str:
    """Heavy delays of the own flights in some hours."""
    hour = draw.randrange(5, 21)
    return (
        f"carrier = '{seen['carrier']}' AND origin = '{seen['origin']}' AND dest = '{seen['dest']}' AND "
        f"dep_delay > {_minutes(draw, 90, 300)} AND hour BETWEEN {hour} AND {hour + 3}"
    )


def family_of_flights(draw: Random, seen: Departure) -> str:
    """Flight numbers with a common beginning, which airlines give to a region or a partner."""
    prefix = seen["flight"][: -1 if len(seen["flight"]) > 4 else None]
    hub = f"origin != '{draw.choice([each for each in AIRPORTS if each != seen['origin']])}'"
    return f"flight STARTS WITH '{prefix}' AND dest = '{seen['dest']}' AND {hub} AND {_trouble(draw)}"


def cancelled(draw: Random, seen: Departure) -> str:
    """Flights that never left: there is a schedule and no departure."""
    weeks = f"day BETWEEN {seen['day']} AND {min(31, seen['day'] + draw.randrange(1, 7))}"
    return f"carrier = '{seen['carrier']}' AND NOT EXISTS dep_time AND month = {seen['month']} AND {weeks}"


# Owners and maintainers of aircraft.


def airframe(draw: Random, seen: Departure) -> str:
    """One aircraft by its tail number."""
    if seen["tailnum"] is None:
        return unregistered(draw, seen)
    one = f"tailnum = '{seen['tailnum']}'"
    return f"{one} AND {draw.choice(['air_time', 'distance'])} > {_minutes(draw, 200, 2500)}"


def fleet(draw: Random, seen: Departure) -> str:
    """Several aircraft, in some month."""
    if seen["tailnum"] is None:
        return unregistered(draw, seen)
    others = {f"N{draw.randrange(100, 1000)}{seen['tailnum'][-2:]}" for _ in range(draw.randrange(2, 6))}
    tails = ", ".join(f"'{each}'" for each in sorted(others | {seen["tailnum"]}))
    return f"tailnum IN ({tails}) AND month = {seen['month']}"


def operator_livery(draw: Random, seen: Departure) -> str:
    """Tail numbers that end in an operator's letters, far from home."""
    if seen["tailnum"] is None:
        return unregistered(draw, seen)
    tail = seen["tailnum"]
    which = draw.choice(
        [
            f"tailnum ENDS WITH '{tail[-3:]}'",
            f"tailnum LIKE '{tail[:2]}__{tail[4:]}'",
            f"tailnum CONTAINS '{tail[2:5]}'",
        ]
    )
    return f"{which} AND dest = '{seen['dest']}' AND distance >= {draw.randrange(500, 2000, 100)}"


# People with binoculars.


def model(draw: Random, seen: Departure) -> str:
    """A type of aircraft on a route where it is seldom seen."""
    aircraft = seen["aircraft"]
    if aircraft is None:
        return (
            f"NOT EXISTS aircraft.model AND tailnum STARTS WITH 'N{draw.randrange(1, 10)}' AND {_day(seen)}"
        )
    kind = aircraft["model"].split("-")[0]
    return (
        f"aircraft.model STARTS WITH '{_quoted(kind)}' AND aircraft.seats >= {aircraft['seats']} AND "
        f"origin = '{seen['origin']}' AND dest = '{seen['dest']}' AND hour = {seen['hour']} AND {_day(seen)}"
    )


def old_timer(draw: Random, seen: Departure) -> str:
    """Old aircraft, by maker or engine."""
    engines = draw.choice(["aircraft.engine != 'Turbo-fan'", "aircraft.maker CONTAINS 'DOUGLAS'"])
    year = draw.randrange(1960, 1985)
    return (
        f"aircraft.built <= {year} AND {engines} AND origin = '{seen['origin']}' AND month = {seen['month']}"
    )


# The neighbours of the airports.


def curfew(draw: Random, seen: Departure) -> str:
    """Departures in the night, with the reason to complain."""
    until, since = draw.choice([430, 459, 500]), draw.choice([2300, 2315, 2330, 2345])
    night = f"origin = '{seen['origin']}' AND (dep_time >= {since} OR dep_time < {until})"
    excuse = draw.choice(["", f" AND NOT dep_delay > {_minutes(draw, 30, 180)}", " AND aircraft.seats > 150"])
    return f"{night}{excuse} AND month = {seen['month']}"


# Those who look after the data itself.


def diverted(draw: Random, seen: Departure) -> str:
    """A departure without an arrival."""
    late = f" AND hour >= {draw.randrange(6, 20)}" if draw.random() < 0.5 else ""
    return f"EXISTS dep_time AND NOT EXISTS air_time AND dest = '{seen['dest']}'{late}"


def unregistered(draw: Random, seen: Departure) -> str:
    """A flight without an aircraft."""
    return f"NOT EXISTS tailnum AND carrier = '{seen['carrier']}' AND day > {draw.randrange(1, 28)}"


def incomplete(draw: Random, seen: Departure) -> str:
    """Values of which one is there and its companion is not."""
    has, lacks = draw.choice(
        [("dep_delay", "arr_delay"), ("tailnum", "aircraft.built"), ("arr_time", "air_time")]
    )
    return f"EXISTS {has} AND {lacks} IS NULL AND flight = '{seen['flight']}' AND month != {seen['month']}"


# Analysts and planners.


def market(draw: Random, seen: Departure) -> str:
    """Everything that an airline flies on a route, or all but one airline."""
    place = f"origin = '{seen['origin']}' AND dest = '{seen['dest']}'"
    rival = draw.choice([each for each in CARRIERS if each != seen["carrier"]])
    airline = draw.choice([f"carrier = '{seen['carrier']}'", f"carrier != '{rival}'"])
    quarter = (seen["month"] - 1) // 3 * 3 + 1
    return f"{place} AND {airline} AND month BETWEEN {quarter} AND {quarter + 2}"


def season(draw: Random, seen: Departure) -> str:
    """Long delays of a market in some months."""
    months = sorted(draw.sample(range(1, 13), 3))
    delay = _minutes(draw, 60, 240)
    return (
        f"dest = '{seen['dest']}' AND month IN ({', '.join(map(str, months))}) AND "
        f"int dep_delay BETWEEN {delay} AND {delay + 30} AND distance > {draw.randrange(100, 1000, 50)}"
    )


def holiday(draw: Random, seen: Departure) -> str:
    """The days on which everybody travels, by the text of the time stamp."""
    day = draw.choice(["2013-11-27", "2013-12-01", "2013-12-2", "2013-07-0", "2013-05-2"])
    return (
        f"time_hour STARTS WITH '{day}' AND origin = '{seen['origin']}' AND dest = '{seen['dest']}' AND "
        f"dep_delay > {_minutes(draw, 15, 90)}"
    )


def _trouble(draw: Random) -> str:
    """What makes a traveller look up."""
    delay = _minutes(draw, 30, 180)
    return draw.choice(
        [
            f"dep_delay > {delay}",
            f"(dep_delay > {delay} OR NOT EXISTS dep_time)",
            f"arr_delay >= {delay}",
            "dep_time IS NULL",
        ]
    )


def _minutes(draw: Random, low: int, high: int) -> int:
    """A round number, and small ones more often."""
    return min(draw.randrange(low, high, 5), draw.randrange(low, high, 5))


def _some(draw: Random, values: list[str], count: int) -> str:
    return "(" + ", ".join(f"'{each}'" for each in sorted(draw.sample(values, count))) + ")"


def _day(seen: Departure) -> str:
    return f"month = {seen['month']} AND day = {seen['day']}"


def _quoted(text: str) -> str:
    return text.replace("'", "''")
