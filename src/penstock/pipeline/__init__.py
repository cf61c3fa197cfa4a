"""Files in, files out: what the commands do with Spark, and how they make sure that nothing is lost.

Every row of an input ends in deliveries, among the unmatched or among the rejected, with its place in the
input; counts are checked against the input and against what was written; and a result appears whole or not at
all.
"""
