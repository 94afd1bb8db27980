"""The site's own name and look, and its announcements."""
