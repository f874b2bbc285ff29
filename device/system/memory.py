"""Gives memory back to the system."""

import ctypes
import gc


def release_memory() -> None:
    """Collect garbage, and give the free parts of all heaps back to the system, where the C library can. glibc keeps
    them otherwise: each camera thread has a heap of its own, and would keep the memory of its images."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
