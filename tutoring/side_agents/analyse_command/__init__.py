"""`manage.py analyse KIND`: the side agents on a case of one's own. One kind, one module: what a line holds → what is found."""
