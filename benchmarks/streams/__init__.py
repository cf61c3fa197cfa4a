"""The parts of `bench_topics.py`: the streams paper's workload, and what is measured on it."""
