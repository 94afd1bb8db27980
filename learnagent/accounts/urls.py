"""Addresses under /accounts/."""

from django.urls import path

from learnagent.accounts.views import (
    appearance,
    authentication,
    classes,
    my_data,
    password_resets,
    profile,
    sessions,
    tokens,
)

app_name = "accounts"
urlpatterns = [
    path("sign-in/", authentication.sign_in, name="sign-in"),
    path("sign-up/", authentication.sign_up, name="sign-up"),
    path("sign-out/", authentication.sign_out, name="sign-out"),
    path("link/<str:token>/", authentication.link, name="link"),
    path("profile/", profile.profile, name="profile"),
    path("look/", appearance.look, name="look"),
    path("consent/", profile.consent, name="consent"),
    path("password/", profile.password, name="password"),
    path("email/", profile.email, name="email"),
    path("forgotten/", password_resets.forgotten, name="forgotten"),
    path("reset/<str:reset>/", password_resets.reset, name="reset"),
    path("sessions/", sessions.sessions, name="sessions"),
    path("sessions/end/", sessions.end_all, name="end-sessions"),
    path("sessions/<str:name>/end/", sessions.end, name="end-session"),
    path("data/", my_data.data, name="data"),
    path("data/copy/", my_data.copy, name="copy"),
    path("data/copy/<uuid:pk>/", my_data.ready_copy, name="ready-copy"),
    path("erase/", my_data.erase, name="erase"),
    path("erased/<uuid:pk>/", my_data.erased, name="erased"),
    path("tokens/", tokens.tokens, name="tokens"),
    path("tokens/<int:pk>/revoke/", tokens.revoke, name="revoke-token"),
    path("classes/", classes.classes, name="classes"),
    path("classes/<slug:code>/leave/", classes.leave, name="leave-class"),
]
