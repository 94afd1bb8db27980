"""Functions that read and write planner rows: owner-checked, within one workspace, each change with its undo."""
