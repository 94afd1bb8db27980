"""The real server with a simulated team: what benchmarks and server tests talk to."""
