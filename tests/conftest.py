"""Settings for every test."""

import os

if "PYTEST_XDIST_WORKER" in os.environ:  # several processes share the cores, so none of them should use them all
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
