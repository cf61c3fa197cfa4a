"""Whatever comes in as a pattern, a topic, a foreign filter or a file: an answer, or an error of ours."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from topic_world import every_scheme, filled, takes

from penstock.errors import FilterError, MessageError, TableFileError
from penstock.topics import (
    Scheme,
    TopicTable,
    from_mqtt,
    from_nats,
    from_zenoh,
    to_mqtt,
    to_nats,
    to_zenoh,
)

texts = st.text(max_size=30) | st.text("ab/*+#.>$@ é\x00\ud800", max_size=30)


@every_scheme
@given(pattern=texts, topic=texts)
def test_hostile_patterns_and_topics(scheme: Scheme, pattern: str, topic: str) -> None:
    table = TopicTable(scheme)
    with suppress(FilterError):
        table.subscribe(pattern, "here")
    with suppress(MessageError):
        found = table.match(topic)
        assert found == (("here",) if len(table) and takes(pattern, topic) else ())


@pytest.mark.parametrize("translate", [from_mqtt, from_nats, from_zenoh, to_mqtt, to_nats, to_zenoh])
@given(text=texts)
def test_hostile_text_in_other_notations(translate: Callable[[str], Any], text: str) -> None:
    back = {from_mqtt: to_mqtt, from_zenoh: to_zenoh, to_mqtt: from_mqtt, to_zenoh: from_zenoh}
    try:
        translated = translate(text)
    except FilterError:
        return
    if translate is to_nats:
        assert to_nats(from_nats(*translated)) == translated
    else:
        assert translate(back[translate](translated)) == translated


@pytest.mark.parametrize("translate", [from_mqtt, from_nats, from_zenoh, to_mqtt, to_nats, to_zenoh])
@pytest.mark.parametrize("value", [None, 5, b"a/b", ["a"]])
def test_hostile_types_are_type_errors(translate: Callable[[Any], object], value: object) -> None:
    with pytest.raises(TypeError, match="is a str, not"):
        translate(value)


@every_scheme
@given(data=st.data())
def test_hostile_bytes_in_a_file(scheme: Scheme, data: st.DataObject) -> None:
    with TemporaryDirectory() as directory:
        path = Path(directory, "topics")
        filled(scheme, [("a/b", "x"), ("a/*/c", "y"), ("a/b", "y")]).save(path)
        content = bytearray(path.read_bytes())
        for at in data.draw(st.sets(st.integers(0, len(content) - 1), min_size=1, max_size=4)):
            content[at] ^= data.draw(st.integers(1, 255))
        path.write_bytes(content)
        with pytest.raises(TableFileError):
            TopicTable.load(path)
