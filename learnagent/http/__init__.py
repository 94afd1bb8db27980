"""HTTP middleware and the server: body limits, time limits, security headers, error pages, static files."""
