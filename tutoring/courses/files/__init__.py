"""Reading course files: YAML and Markdown with the line of every fault."""
