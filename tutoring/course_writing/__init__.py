"""Courses that teachers write in the browser: drafts as files of the course format, their versions, and publishing."""
