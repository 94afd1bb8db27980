"""Pages of lessons, courses and classes: views, forms, cards, the data templates show."""
