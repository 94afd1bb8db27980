"""`manage.py analyse KIND`: the side agents on custom cases. One module per kind."""
