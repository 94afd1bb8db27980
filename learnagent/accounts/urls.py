"""Addresses under /accounts/."""

from django.urls import path

from learnagent.accounts.views import classes, look, personal, profile, resets, sessions, signing, tokens

app_name = "accounts"
urlpatterns = [
    path("sign-in/", signing.sign_in, name="sign-in"),
    path("sign-up/", signing.sign_up, name="sign-up"),
    path("sign-out/", signing.sign_out, name="sign-out"),
    path("link/<str:token>/", signing.link, name="link"),
    path("profile/", profile.profile, name="profile"),
    path("look/", look.look, name="look"),
    path("consent/", profile.consent, name="consent"),
    path("password/", profile.password, name="password"),
    path("email/", profile.email, name="email"),
    path("forgotten/", resets.forgotten, name="forgotten"),
    path("reset/<str:reset>/", resets.reset, name="reset"),
    path("sessions/", sessions.sessions, name="sessions"),
    path("sessions/end/", sessions.end_all, name="end-sessions"),
    path("sessions/<str:name>/end/", sessions.end, name="end-session"),
    path("data/", personal.data, name="data"),
    path("data/copy/", personal.copy, name="copy"),
    path("data/copy/<uuid:pk>/", personal.ready_copy, name="ready-copy"),
    path("erase/", personal.erase, name="erase"),
    path("erased/<uuid:pk>/", personal.erased, name="erased"),
    path("tokens/", tokens.tokens, name="tokens"),
    path("tokens/<int:pk>/revoke/", tokens.revoke, name="revoke-token"),
    path("classes/", classes.classes, name="classes"),
    path("classes/<slug:code>/leave/", classes.leave, name="leave-class"),
]
