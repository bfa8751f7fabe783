"""The built package triton_spec, for tests that import it and for their subprocesses."""

import sys

from support.packages import PACKAGES

sys.path.insert(0, str(PACKAGES))
