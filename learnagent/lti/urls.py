"""Addresses under /lti/."""

from django.urls import path

from learnagent.lti import views

urlpatterns = [
    path("keys/", views.keys, name="lti-keys"),
    path("login/", views.begin, name="lti-begin"),
    path("launch/", views.launch, name="lti-launch"),
    path("open/", views.enter, name="lti-open"),
    path("choose/", views.choose, name="lti-choose"),
    path("agreement/<int:link>/", views.agreement, name="lti-agreement"),
]
