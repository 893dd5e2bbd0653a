"""Settings of all tests."""

from hypothesis import settings

# A slow machine makes no property false.
settings.register_profile("paxman", deadline=None)
settings.load_profile("paxman")
