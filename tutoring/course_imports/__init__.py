"""Questions in the formats of other programs: read, grouped into topics, and written as a course."""
