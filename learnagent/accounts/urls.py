"""Addresses under /accounts/."""

from django.urls import path

from learnagent.accounts.views import classes, profile, signing, tokens

app_name = "accounts"
urlpatterns = [
    path("sign-in/", signing.sign_in, name="sign-in"),
    path("sign-up/", signing.sign_up, name="sign-up"),
    path("sign-out/", signing.sign_out, name="sign-out"),
    path("link/<str:token>/", signing.link, name="link"),
    path("profile/", profile.profile, name="profile"),
    path("consent/", profile.consent, name="consent"),
    path("password/", profile.password, name="password"),
    path("tokens/", tokens.tokens, name="tokens"),
    path("tokens/<int:pk>/revoke/", tokens.revoke, name="revoke-token"),
    path("classes/", classes.classes, name="classes"),
    path("classes/<slug:code>/leave/", classes.leave, name="leave-class"),
]
