"""Addresses of what is learned."""

from django.urls import path

from tutoring.views import answers, lessons, pages

urlpatterns = [
    path("", pages.home, name="home"),
    path("level/", pages.level, name="level"),
    path("learn/", pages.learn, name="learn"),
    path("learn/answers/<str:pk>", answers.answer, name="answer"),
    path("learn/<slug:course>/", pages.course, name="course"),
    path("learn/<slug:course>/<slug:concept>/", lessons.concept, name="concept"),
    path("progress/", pages.progress, name="progress"),
    path("progress/<slug:course>/<slug:concept>/", pages.evidence, name="evidence"),
]
