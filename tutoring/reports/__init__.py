"""Reports of a class: figures of a period for its teachers, and a monthly page for a pupil's guardian."""
