"""Addresses of conversations' pages."""

from django.urls import path

from conversations import views

urlpatterns = [
    path("c/", views.conversations, name="conversations"),
    path("c/<path:key>/findings/<int:finding>/contest/", views.contest_finding, name="contest-finding"),
    path("c/<path:key>/before/<int:before>/", views.earlier, name="earlier-turns"),
    path("c/<path:key>/", views.conversation, name="conversation"),
]
