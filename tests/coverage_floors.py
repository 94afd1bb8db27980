"""How much of the program the suite ran through, in percent of lines: too little of it all is refused, or of its core."""

import io
import sys

from coverage import Coverage

from tests.test_import_direction import CORE_FILES

FLOORS = (
    ("the program", ("agents/*", "conversations/*", "learnagent/*", "tutoring/*"), 85),
    ("the engine's core", tuple(map(str, CORE_FILES)), 95),
    ("what decides in teaching", ("tutoring/grading/*", "tutoring/roles/*", "tutoring/mastery/*"), 95),
)
"""Name, files, and the least that has to be run of them."""


def main() -> int:
    measured, fell_short = Coverage(), False
    measured.load()
    for name, files, floor in FLOORS:
        listing = io.StringIO()
        percent = measured.report(include=files, file=listing)
        print(f"coverage: {percent:.1f} % of {name}, at least {floor} %")
        if percent < floor:
            fell_short = True
            print(listing.getvalue())
    return int(fell_short)


if __name__ == "__main__":
    sys.exit(main())
