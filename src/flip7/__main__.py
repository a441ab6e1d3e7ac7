"""`python -m flip7`: the `flip7` command."""

import sys

from flip7.cli import main

sys.exit(main())
