"""The parts of bench_spark.py: what is measured on Spark, and against what."""
