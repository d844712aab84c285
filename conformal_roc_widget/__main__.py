"""Runs the command: ``python -m conformal_roc_widget``."""

import sys

from conformal_roc_widget.widget.command_line import main

sys.exit(main())
