"""Backups: one ZIP file with the database, the stored files and the secret key, made while the site runs; and their restoration.

What a backup guarantees: everything that was committed before the backup began is in it, and nothing half: the database is
copied as it was at one moment. Uploads and data exports are copied after that. Because a file is stored before its row is
committed, and deleted after its row is, each file that a row of the copy names was there at that moment. Only a file that
is deleted before the backup has come to it is missing; whoever deleted it meant it to be gone. A file that is missing
although its row is still there has been lost before, and is reported.

The files of courses and saved mail are copied last, so they can be newer than the database.
"""
