"""One turn (classify, route, four agents at once, synthesize), walked by each contender."""
