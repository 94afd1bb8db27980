"""Classes: membership, class pages, what a teacher may see, who needs help."""
