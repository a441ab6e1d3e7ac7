"""Settings that all tests share."""

from hypothesis import settings

# A slow or busy machine is no fault of the code: examples may take their time.
settings.register_profile("flip7", deadline=None)
settings.load_profile("flip7")
