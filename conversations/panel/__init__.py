"""The panel: several agents answer an open question together."""
