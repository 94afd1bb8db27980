"""Addresses under /teach/<code>/pupils/ that create accounts or sign-in cards."""

from django.urls import path

from learnagent.rosters.views import cards, imports

urlpatterns = [
    path("import/", imports.import_roster, name="class-import"),
    path("cards/", cards.print_cards, name="class-cards"),
    path("export.csv", cards.export_pupils, name="class-pupils-export"),
]
