"""Records of learning as xAPI statements, for a school's record store: only for classes that have agreed to it."""
