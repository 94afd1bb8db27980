"""What runs the program on servers: units, configurations, and a cluster on one machine to try."""
