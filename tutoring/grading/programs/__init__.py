"""Questions about programs: their keys, the programs to run for an answer, and how outcomes are compared."""
