"""Pages of lessons, courses and classes: views, forms, cards, and template contexts."""
