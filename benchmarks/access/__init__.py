"""The parts of `bench_access.py`: what each figure is measured on."""
