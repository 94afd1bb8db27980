"""Write the figures of the last `make bench NAME=load` into the documentation: `python -m bench.load`."""

from bench.load.pages import write

if __name__ == "__main__":
    for path in write():
        print(f"written to {path}")
