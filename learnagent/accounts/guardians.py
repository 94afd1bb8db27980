"""Consent of guardians: ask by mail, answer by a signed link without an account, withdraw by the same link."""

from datetime import timedelta
from functools import partial

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.tasks import task
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from agents.event_log import get_logger
from conversations.web.model_status import outside_providers
from learnagent.accounts.authentication.rate_limits import Throttle, TooManyTries
from learnagent.accounts.mail import send_mail
from learnagent.accounts.models import GuardianRequest, Person

logger = get_logger(__name__)

FOR_PERSON = Throttle(name="guardian-for", limit=3, window_s=24 * 3600)
"""Requests about one person."""
BY_PERSON = Throttle(name="guardian-by", limit=100, window_s=3600)
"""Requests by one person: a teacher may ask for a whole class."""
OF_ALL = Throttle(name="guardian-all", limit=300, window_s=3600)
"""Mails of the whole site: nobody can use it to write to strangers with many accounts."""
TO_ADDRESS = Throttle(name="guardian-to", limit=10, window_s=24 * 3600)
"""Mails to one address: a family may have several children."""
SEND_ATTEMPTS, RETRY_PAUSE = 3, timedelta(minutes=1)
Status = GuardianRequest.Status


def is_mail_sent() -> bool:
    """Return whether mail leaves this site; otherwise it is saved in files."""
    return settings.MAIL_FOLDER is None


def latest_request(person: Person) -> GuardianRequest | None:
    """Return the latest request about the person."""
    return person.guardian_requests.exclude(status=Status.REPLACED).first()


def ask_guardian(person: Person, email: str, *, by: Person) -> GuardianRequest:
    """Store a request and have it mailed; an open one is replaced. Raises TooManyTries. Consent given before stays."""
    email = email.lower()
    limits = ((FOR_PERSON, person.pk), (TO_ADDRESS, email), (BY_PERSON, by.pk), (OF_ALL, ""))
    if not all(limit.count_try(key) for limit, key in limits):
        raise TooManyTries(FOR_PERSON.window_s, _("Too many requests were sent. Wait a day, then try again."))
    with transaction.atomic():
        person.guardian_requests.filter(status=Status.ASKED).update(status=Status.REPLACED)
        request = GuardianRequest.objects.create(person=person, email=email, asked_by=by)
        transaction.on_commit(partial(send_guardian_mail.enqueue, request.pk), robust=True)
    return request


def has_declined(person: Person, *, other_than: str) -> bool:
    """Return whether a guardian at another address has said no, or withdrew a yes."""
    said_no = person.guardian_requests.filter(status__in=(Status.DECLINED, Status.WITHDRAWN))
    return said_no.exclude(email=other_than.lower()).exists()


def forget_unanswered() -> None:
    """Delete requests that nobody answered in time, a month later: an address may have been mistyped."""
    ended = timezone.now() - timedelta(days=30)
    unanswered = GuardianRequest.objects.filter(status__in=(Status.ASKED, Status.REPLACED), decided_at=None)
    unanswered.filter(expires_at__lt=ended).delete()


@transaction.atomic
def answer_request(request: GuardianRequest, *, agrees: bool, name: str, address: str) -> bool:
    """Store a guardian's answer with its evidence; return whether the request could still be answered."""
    now = timezone.now()
    open_one = GuardianRequest.objects.filter(pk=request.pk, status=Status.ASKED, expires_at__gt=now)
    request.status = Status.AGREED if agrees else Status.DECLINED
    answered = open_one.update(
        status=request.status,
        decided_at=now,
        guardian_name=name,
        address=address,
        text_shown="\n\n".join(consent_text(request.person)),
    )
    if not answered:
        return False
    older = request.person.guardian_requests.exclude(pk=request.pk).filter(status=Status.AGREED)
    older.update(status=Status.REPLACED)
    Person.objects.filter(pk=request.person_id).update(guardian_agreed_at=now if agrees else None)
    if agrees:
        transaction.on_commit(partial(send_guardian_mail.enqueue, request.pk), robust=True)
    return True


@transaction.atomic
def withdraw_consent(person: Person) -> bool:
    """End the guardian's consent, at once; return whether there was any."""
    person.guardian_requests.filter(status=Status.AGREED).update(status=Status.WITHDRAWN, withdrawn_at=timezone.now())
    with_consent = Person.objects.filter(pk=person.pk).exclude(guardian_agreed_at=None)
    return with_consent.update(guardian_agreed_at=None) > 0


def consent_text(person: Person) -> list[str]:
    """Return what a guardian is asked to agree to, in paragraphs."""
    places = ", ".join(outside_providers()) or _("language models that run outside this site")
    names = {"name": " ".join(str(person).split()), "places": places}
    return [
        _("%(name)s learns on this site. The lessons and quizzes work without any outside service.") % names,
        _(
            "If you agree, what %(name)s writes or says here is sent to %(places)s, where a language model helps answer "
            "it. It may also be looked up on sites such as Wikipedia. Answers can then go beyond the lessons."
        )
        % names,
        _("If you don’t agree, everything that %(name)s writes stays on this site, and the lessons still work.")
        % names,
        _("You can change your mind at any time: open the link in our email again."),
    ]


def guardian_address(request: GuardianRequest) -> str:
    """Return the whole address at which the guardian answers, and later withdraws. It signs nobody in."""
    return f"{settings.PUBLIC_URL}{reverse('accounts:guardian-answer', args=[_signer().sign(str(request.pk))])}"


def request_of_link(token: str) -> GuardianRequest | None:
    """Return the request that the link is for; None for a made-up link or an erased account."""
    try:
        number = _signer().unsign(token)
    except BadSignature:
        return None
    return GuardianRequest.objects.select_related("person").filter(pk=int(number), person__is_active=True).first()


@task
def send_guardian_mail(pk: int, tries: int = 1) -> None:
    """Mail the guardian the question, or what was agreed to; if the mail server fails, try again a few times."""
    request = GuardianRequest.objects.select_related("person").filter(pk=pk).first()
    if request is None or request.status not in (Status.ASKED, Status.AGREED):
        return
    with translation.override(request.person.language):
        subject, text = _letter(request)
        try:
            send_mail(request.person, subject=subject, text=text, to=request.email)
        except OSError as error:  # A mail server's own words hold the address.
            logger.warning("mail_not_sent", error=type(error).__name__)
            if tries < SEND_ATTEMPTS:
                send_guardian_mail.using(run_after=timezone.now() + RETRY_PAUSE).enqueue(pk, tries + 1)


def _letter(request: GuardianRequest) -> tuple[str, str]:
    """Return the subject and the text of the mail."""
    words = {"name": " ".join(str(request.person).split()), "address": guardian_address(request)}
    if request.status == Status.AGREED:
        subject = _("You agreed that %(name)s may use language models") % words
        return subject, _(
            "You agreed that %(name)s may use language models outside the site.\n\nIf you change your mind, open this "
            "link:\n\n%(address)s\n\nIf it wasn’t you, open the link and withdraw the consent.\n"
        ) % words
    subject = _("May %(name)s use language models?") % words
    return subject, _(
        "You are named as a parent or guardian of %(name)s.\n\n%(text)s\n\nOpen this link to say yes or no. You don’t "
        "need an account. The link works for 14 days:\n\n%(address)s\n\nIf you don’t know %(name)s, you don’t need to "
        "do anything.\n"
    ) % {**words, "text": "\n\n".join(consent_text(request.person))}


def _signer() -> Signer:
    return Signer(salt="accounts.guardian")
