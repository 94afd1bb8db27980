"""The JSON API: its assembly, bearer tokens, OpenAPI, AsyncAPI and the pages that describe them."""
