"""Settings of all tests."""

import os

from hypothesis import settings

# What OCR reads is read by the code under test, not taken from an earlier run.
os.environ.setdefault("PAXMAN_OCR_CACHE", "off")

# A slow machine makes no property false.
settings.register_profile("paxman", deadline=None)
settings.load_profile("paxman")
