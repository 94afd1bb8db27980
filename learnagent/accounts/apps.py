"""The accounts app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "learnagent.accounts"
    label = "accounts"
    verbose_name = _("people")

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in
        from django.db.models.signals import post_delete

        from agents.mail import register_mail_sender
        from conversations.library.upload_gate import register_upload_views
        from learnagent.accounts.authentication.sessions import record_sign_in
        from learnagent.accounts.authentication.sign_in_cards import withdraw_cards
        from learnagent.accounts.mail import send_mail

        register_mail_sender(send_mail)
        register_upload_views("class-import")
        post_delete.connect(withdraw_cards, sender="tutoring.Membership", dispatch_uid="withdraw_cards")
        user_logged_in.connect(record_sign_in, dispatch_uid="note_sign_in")
