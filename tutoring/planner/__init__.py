"""The planner: tasks, events, meals and notes of a person, and the agents that serve them in a conversation."""
