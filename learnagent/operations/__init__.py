"""Running an installation: doctor, health, lifespan of a server, worker, periodic jobs, log redaction."""
