"""The rules of teaching: values in, values out, no database."""
