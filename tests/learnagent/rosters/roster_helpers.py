"""Rosters in a few words, and the files of a school."""

import io
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from learnagent.rosters.imports import ClassRoster, import_rosters
from learnagent.rosters.plans import Plan
from learnagent.rosters.uploads import read_upload
from tutoring.models import Classroom, Membership

MANIFEST = "propertyName,value\nmanifest.version,1.0\noneroster.version,1.1\nfile.users,bulk\n"
USERS = """sourcedId,status,enabledUser,orgSourcedIds,role,username,givenName,familyName,email
u1,,true,o1,student,mia.h,Mia,Huber,
u2,,true,o1,student,luca.r,Luca,Rossi,
t1,,true,o1,teacher,frau.b,Eva,Berg,
"""
CLASSES = "sourcedId,status,title\nc1,,Maths 4\nc2,,Maths 5\n"
ENROLLMENTS = """sourcedId,status,classSourcedId,userSourcedId,role
e1,,c1,u1,student
e2,,c1,u2,student
e3,,c1,t1,teacher
e4,,c2,u1,student
"""


def roster(text: str, code: str = "4b") -> ClassRoster:
    """Return the rows of a CSV file for a class."""
    [read] = read_upload(text.encode(), age_band="child").rosters(code)
    return read


def import_text(classroom: Classroom, text: str, *, age_band: str = "child") -> Plan:
    """Import a CSV file as the class's first teacher."""
    teacher: Any = classroom.memberships.filter(role=Membership.Role.TEACHER).order_by("pk")[0].person
    [(_classroom, plan)] = import_rosters(teacher, [roster(text, classroom.code)], age_band=age_band)
    return plan


def import_names(classroom: Classroom, *names: str) -> list[Membership]:
    """Import people of these names, and return their places in the class."""
    import_text(classroom, "name\n" + "\n".join(names))
    places = classroom.memberships.filter(person__roster_account__name__in=names).order_by("pk")
    return list(places.select_related("person__roster_account"))


def zipped(**files: str | None) -> bytes:
    """Return OneRoster files as a ZIP; a keyword replaces a file, or leaves it out if it is None."""
    texts = {"manifest": MANIFEST, "users": USERS, "classes": CLASSES, "enrollments": ENROLLMENTS} | files
    data = io.BytesIO()
    with ZipFile(data, "w", ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            if text is not None:
                archive.writestr(f"{name}.csv", text)
    return data.getvalue()
