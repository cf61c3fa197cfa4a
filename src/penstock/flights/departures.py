"""Departures as messages: one row each, typed and nullable, what is known of the aircraft as a struct.

A departure is named by its hour and its flight, which together are unique in the data. Nothing is invented:
what the data lacks (the delay of a cancelled flight, the age of an unknown aircraft) the message lacks.
"""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from penstock.flights.package import read_data

__all__ = ["KEY", "read_departures"]

KEY = ("time_hour", "flight")
AIRCRAFT = {"manufacturer": "maker", "model": "model", "year": "built", "seats": "seats", "engine": "engine"}


def read_departures() -> pa.Table:
    """All 336,776 of 2013, in the order of the data."""
    flights = read_data("flights")
    nothing: Any = ""
    designator = pc.binary_join_element_wise(flights["carrier"], flights["flight"].cast(pa.string()), nothing)
    place = flights.column_names.index("flight")
    flights = flights.set_column(place, "flight", designator)
    return flights.append_column("aircraft", _aircraft(flights["tailnum"], read_data("planes")))


def _aircraft(tailnums: "pa.ChunkedArray[Any]", planes: pa.Table) -> pa.StructArray:
    """A struct for each tail number; null where the register does not know it."""
    known = planes["tailnum"].combine_chunks()
    rows = pc.index_in(tailnums.combine_chunks(), value_set=known)
    fields = [pc.take(planes[name].combine_chunks(), rows) for name in AIRCRAFT]
    unknown = np.asarray(pc.is_null(rows))
    return pa.StructArray.from_arrays(fields, list(AIRCRAFT.values()), mask=pa.array(unknown))
