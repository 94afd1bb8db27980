#!/usr/bin/env python
"""Django's command line for learnagent."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "learnagent.settings")
    from learnagent.operations.database_readiness import run_command

    run_command(sys.argv)
