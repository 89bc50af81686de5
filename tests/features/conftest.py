"""The fixtures of stores, for the features that keep something in one."""

from tests.store.conftest import backend as backend
from tests.store.conftest import postgres as postgres
