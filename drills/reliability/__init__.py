"""The faults and bad inputs that the program has to survive, and the tests and drills that show that it does."""
