"""Addresses under /accounts/."""

from django.urls import path

from learnagent.accounts.views import (
    appearance,
    classes,
    guardians,
    password_resets,
    personal_data,
    phone,
    profile,
    second_factor,
    sessions,
    sign_in,
    tokens,
)

app_name = "accounts"
urlpatterns = [
    path("sign-in/", sign_in.sign_in, name="sign-in"),
    path("sign-up/", sign_in.sign_up, name="sign-up"),
    path("sign-out/", sign_in.sign_out, name="sign-out"),
    path("link/<str:token>/", sign_in.link, name="link"),
    path("profile/", profile.profile, name="profile"),
    path("look/", appearance.set_appearance, name="look"),
    path("language/", appearance.set_language, name="language"),
    path("consent/", profile.consent, name="consent"),
    path("guardian/", guardians.guardian, name="guardian"),
    path("guardian/stop/", guardians.stop, name="guardian-stop"),
    path("guardian/<str:token>/", guardians.answer, name="guardian-answer"),
    path("password/", profile.password, name="password"),
    path("email/", profile.email, name="email"),
    path("forgotten/", password_resets.forgotten, name="forgotten"),
    path("reset/<str:reset>/", password_resets.reset, name="reset"),
    path("sessions/", sessions.sessions, name="sessions"),
    path("sessions/end/", sessions.end_all, name="end-sessions"),
    path("sessions/<str:name>/end/", sessions.end, name="end-session"),
    path("second-factor/", second_factor.setup, name="second-factor"),
    path("second-factor/code/", second_factor.code, name="second-factor-code"),
    path("second-factor/recovery-codes/", second_factor.recovery_codes, name="recovery-codes"),
    path("second-factor/remove/", second_factor.remove, name="remove-second-factor"),
    path("data/", personal_data.data, name="data"),
    path("data/copy/", personal_data.copy, name="copy"),
    path("data/copy/<uuid:pk>/", personal_data.ready_copy, name="ready-copy"),
    path("erase/", personal_data.erase, name="erase"),
    path("erased/<uuid:pk>/", personal_data.erased, name="erased"),
    path("tokens/", tokens.tokens, name="tokens"),
    path("tokens/<int:pk>/revoke/", tokens.revoke, name="revoke-token"),
    path("phone/", phone.phone, name="phone"),
    path("phone/<int:link>/unlink/", phone.unlink, name="unlink-phone"),
    path("classes/", classes.classes, name="classes"),
    path("classes/<slug:code>/leave/", classes.leave, name="leave-class"),
]
