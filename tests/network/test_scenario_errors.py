"""What is wrong in a scenario file is said with its place, and with what to write instead."""

import pytest

from penstock.errors import ScenarioError
from penstock.network.scenario_file import parse_scenario
from scenario_texts import CATEGORIES, FILTERS, SMALL

# What is put in the place of what, and what is said then.
WRONG = [
    ("name =", "nome =", "name: is missing; it must be a string"),
    ("duration = 10", "duration = 10\nlos = 0.5", "los: is not known here; did you mean 'loss'?"),
    ('name = "small"', "name = 5", "name: must be a string, not a whole number"),
    ("duration = 10", "", "duration: is missing; it must be a number"),
    ("duration = 10", "duration = -1", "duration: is a time in seconds, from 0 on, not -1.0"),
    ("duration = 10", "duration = 0", "duration: must be at least a microsecond"),
    ("duration = 10", "duration = 1e300", "duration: is a time in seconds"),
    ("duration = 10", "duration = nan", "duration: is a time in seconds"),
    ("duration = 10", "duration = 07:30:00", "duration: must be a number, not a time"),
    ("duration = 10", "duration = 10\nloss = 1.0", "loss: from 0 to less than 1, not 1.0"),
    ("duration = 10", "duration = 10\nseed = -1", "seed: must be at least 0, not -1"),
    ("duration = 10", "duration = 10\nsample = 1e-6", "sample: makes more than 100,000 samples"),
    ("sources = [0]", "sources = [7]", "sources: there is no router 7"),
    ("sources = [0]", 'sources = ["a"]', "sources: must be a number of sources, or a list of routers"),
    ("sources = [0]", "sources = 4", "sources: there are only 3 routers"),
    ("sources = [0]", "", "sources: is missing"),
    ('shape = "line"', 'shape = "lime"', "topology.shape: 'lime' is none of line, .* did you mean 'line'?"),
    ("routers = 3", "routers = 0", "topology.routers: must be at least 1, not 0"),
    ("routers = 3", "routers = 1000000", "topology.routers: at most 100,000, not 1,000,000"),
    ("routers = 3", "routers = 3\ndegree = 2", "topology.degree: is not known here"),
    ('"line"\nrouters = 3', '"ring"\nrouters = 2', "topology: this shape needs at least 3, not 2"),
    ('"line"\nrouters = 3', '"links"\nlinks = [[0]]', r"topology.links\[0\]: must be \[one, other\]"),
    ('"line"\nrouters = 3', '"links"\nlinks = [[0, 1], [1, 0]]', "topology: link 1-0: there is another link"),
    ('"line"\nrouters = 3', '"file"\npath = "none.links"', "topology: .*none.links"),
    ('"line"\nrouters = 3', '"transit-stub"\ncosts = [1]', "topology.costs: must be four whole numbers"),
    ('"line"\nrouters = 3', '"transit-stub"\nstub = 0', "topology: domains, transit and stub are at least 1"),
    ('"line"\nrouters = 3', '"transit-stub"\nstub = 99999', "topology: has .* routers, of at most 100,000"),
    ('kind = "traffic"', 'kind = "trafic"', "application.kind: 'trafic' .* did you mean 'traffic'?"),
    ('kind = "traffic"', 'kind = "traffic"\nexits = 1', "application.exits: must be at least 2, not 1"),
    ('kind = "traffic"', 'kind = "filters"\nattributes = {}', "application.templates: is missing"),
    (
        'kind = "traffic"',
        'kind = "filters"\nattributes = {}\ntemplates = ["a <"]',
        r"templates\[0\]: column 4",
    ),
    (
        'kind = "traffic"',
        'kind = "filters"\nattributes = {}\ntemplates = [1]',
        "templates: must be a list of",
    ),
    ("between = [1, 9]", "between = [9, 1]", "attributes.price.between: must be two numbers"),
    ("between = [1, 9]", "values = []", "attributes.price.values: must be a list of"),
    ("between = [1, 9]", "", "attributes.price: needs exactly one of values, between"),
    ("skew = 2", "skew = -1", "attributes.dest.skew: is from 0"),
    ('left = ["top"]', 'left = ["up"]', "application.parents: .* has a parent 'up' that is no category"),
    ('left = ["top"]', "left = 5", "application.parents.left: must be a list of categories"),
    ("labels = 2", "labels = 0", "application.labels: must be at least 1, not 0"),
    ("", "[[subscribers]]\n", r"subscribers\[0\]: needs exactly one of router, count, per_router"),
    ("", "[[subscribers]]\nrouter = 9", r"subscribers\[0\]: host 'host 0' is there already, or router 9"),
    ("", "[[subscribers]]\ncount = 1\nrouter = 1", r"subscribers\[0\]: needs exactly one of"),
    ("", "[[subscribers]]\ncount = 9999999", r"subscribers\[0\].count: is at most 1,000,000"),
    (
        "",
        "[[subscribers]]\nrouter = 1\ninterests = [[9, 3]]",
        r"subscribers\[0\].interests: \(9, 3\) are not",
    ),
    ("", '[[subscribers]]\nrouter = 1\ninterests = ["a"]', r"subscribers\[0\].interests: "),
    (
        "duration = 10",
        "duration = 10\nsubscribers = [5]",
        r"subscribers\[0\]: must be a table, not a whole number",
    ),
    ("", "[[subscribers]]\nrouter = 1\n" * 2 + 'name = "host 0"', r"subscribers\[1\].name: there is a host"),
    ("", "[[messages]]\nat = 1\nsource = 2\nmessage = [1, 2]", r"messages\[0\]: router 2 is no source"),
    (
        "",
        "[[messages]]\nat = 99\nsource = 0\nmessage = [1, 2]",
        r"messages\[0\]: 99,000,000 µs is not within",
    ),
    (
        "",
        "[[messages]]\nat = 1\nsource = 0\nmessage = [2, 1]",
        r"messages\[0\].message: \[2, 1\] is no message",
    ),
    ("", "[[messages]]\nat = 1\nsource = 0", r"messages\[0\].message: is missing"),
    ("", "[[messages]]\nrate = 0", r"messages\[0\].rate: is above 0"),
    ("", "[[messages]]\nrate = 900000", r"messages\[0\].rate: makes more than 1,000,000 events"),
    ("", "[[churn]]\nrate = 5", r"churn\[0\]: there is no host that could change its mind"),
    ("", '[[failures]]\nat = 1\nwhat = "crsh"', r"failures\[0\].what: 'crsh' .* did you mean 'crash'?"),
    ("", '[[failures]]\nat = 1\nwhat = "crash"\nrouter = 8', r"failures\[0\]: there is no router 8"),
    ("", '[[failures]]\nat = 1\nwhat = "crash"\ncount = 3', r"failures\[0\].count: there are only 2"),
    (
        "",
        '[[failures]]\nat = 1\nwhat = "cut"\nlink = [0, 2]',
        r"failures\[0\]: there is no link between 0 and 2",
    ),
    ("", '[[failures]]\nat = 1\nwhat = "cut"\nlink = [0]', r"failures\[0\].link: must be two routers"),
    ("", "a = [", "not TOML: "),
]


@pytest.mark.parametrize(("old", "new", "message"), WRONG, ids=[message for _, _, message in WRONG])
def test_what_is_wrong_is_said_with_its_place(old: str, new: str, message: str) -> None:
    text = SMALL
    for application in (FILTERS, CATEGORIES):
        if old and old in application and old not in SMALL:
            text = SMALL.replace('kind = "traffic"', application)
    text = 'format = "list"\n' + (text.replace(old, new) if old else text + new)
    with pytest.raises(ScenarioError, match=message):
        parse_scenario(text)
