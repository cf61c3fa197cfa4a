"""Whatever way messages take through Spark, they reach those whom the oracle names.

Each example is a whole job, so there are few, each with many subscriptions and messages.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyspark.sql import DataFrame, SparkSession

from json_text import texts_of
from oracle_rows import SCHEMA, Wanted, interfaces_of, read, row, texts, typed_messages
from penstock.spark import TableRef, compile_table, forward, forward_parquet
from strategies import interfaces, messages_near, predicates
from test_batch_json import broken

# Shrinking would take as many jobs again; a failing example is printed as it is.
few = settings(
    max_examples=2,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
subscriptions = st.lists(st.tuples(interfaces, predicates), min_size=10, max_size=25)


def compiled(spark: SparkSession, wanted: Wanted, directory: str, shards: int) -> TableRef:
    rows = spark.createDataFrame(texts(wanted), "interface string, filter string")
    return compile_table(rows, Path(directory, "table"), shards=shards)


def found_in(forwarded: DataFrame) -> dict[int, tuple[Any, Any]]:
    rows = forwarded.collect()
    assert len({row.id for row in rows}) == len(rows)
    return {row.id: (row.interfaces and sorted(row.interfaces), row.error) for row in rows}


@few
@given(subscriptions, st.integers(1, 4), st.data())
def test_typed_rows_agree_with_the_oracle(
    spark: SparkSession, wanted: Wanted, shards: int, data: st.DataObject
) -> None:
    messages = data.draw(st.lists(typed_messages(wanted), min_size=20, max_size=60))
    expected = {id_: (interfaces_of(wanted, message), None) for id_, message in enumerate(messages)}
    with TemporaryDirectory() as directory:
        table = compiled(spark, wanted, directory, shards)
        rows = spark.createDataFrame([row(*pair) for pair in enumerate(messages)], SCHEMA)
        # More partitions than some of them have rows for.
        rows.repartition(4).where("id > 5 OR id % 4 > 1").write.parquet(f"{directory}/some")
        rows.where("NOT (id > 5 OR id % 4 > 1)").write.parquet(f"{directory}/others")
        rows.where("false").write.parquet(f"{directory}/none")
        assert found_in(forward(rows.repartition(8), table, id_columns=["id"])) == expected
        paths = [f"{directory}/{name}" for name in ("some", "others", "none")]
        assert found_in(forward_parquet(spark, paths, table, id_columns=["id"])) == expected
        known = {row.id: row.interface for row in table.interface_ids(spark).collect()}
        assert list(known) == list(range(table.interfaces))
        by_id = forward(rows, table, id_columns=["id"], names=False).collect()
        assert {row.id: (sorted(known[id_] for id_ in row.interfaces), None) for row in by_id} == expected


@few
@given(subscriptions, st.integers(1, 3), st.data())
def test_json_rows_agree_with_the_oracle_or_say_what_is_wrong(
    spark: SparkSession, wanted: Wanted, shards: int, data: st.DataObject
) -> None:
    good = texts_of(messages_near([predicate for _, predicate in wanted]))
    sent = data.draw(st.lists(good | good | broken | st.none(), min_size=20, max_size=80))
    with TemporaryDirectory() as directory:
        table = compiled(spark, wanted, directory, shards)
        rows = spark.createDataFrame(list(enumerate(sent)), "id int, body binary")
        found = found_in(forward(rows, table, id_columns=["id"], json="body"))
        rows.write.parquet(f"{directory}/rows")
        parquet = forward_parquet(spark, f"{directory}/rows", table, id_columns=["id"], json="body")
        assert found_in(parquet) == found
    for id_, text in enumerate(sent):
        try:
            expected = interfaces_of(wanted, read(text))
        except ValueError:
            assert found[id_][0] is None
            assert found[id_][1]
        else:
            assert found[id_] == (expected, None)
