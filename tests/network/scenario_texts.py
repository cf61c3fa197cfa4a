"""Small scenario files that the tests of scenarios change a little."""

SMALL = """
name = "small"
duration = 10
sources = [0]
[topology]
shape = "line"
routers = 3
[application]
kind = "traffic"
"""

FILTERS = """
kind = "filters"
templates = ["dest = {dest} AND price < {price}", "late = {late} AND weight <= {weight}"]
[application.attributes]
dest = { values = ["MXP", "it's"], skew = 2 }
price = { between = [1, 9] }
weight = { between = [0.5, 1.5] }
late = { values = [true, false] }
"""

CATEGORIES = 'kind = "categories"\nlabels = 2\nparents = { top = [], left = ["top"], right = ["top"] }'
