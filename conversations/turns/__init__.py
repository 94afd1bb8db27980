"""A turn from its beginning to its end: leases, supervision, events, recovery."""
