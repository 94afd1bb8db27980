"""Side agents: what they notice while the tutor talks, and how it reaches the tutor's next turn."""
