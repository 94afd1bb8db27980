"""The keys with which learnagent signs: made here, stored encrypted, published as a key set, replaced on request."""

import base64
import json
import uuid
from datetime import timedelta
from typing import Any, Final

import jwt
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from jwt.algorithms import RSAAlgorithm

from learnagent.lti.models import ToolKey

ALGORITHM: Final = "RS256"
BITS: Final = 2048
PUBLISHED_FOR: Final = timedelta(days=30)
"""How long a replaced key is still published: platforms keep key sets for a while."""


def make_key() -> ToolKey:
    """Store and return a new key, which signs from now on. Keys that were replaced long ago are deleted."""
    pair = generate_private_key(public_exponent=65537, key_size=BITS)
    kid = uuid.uuid4().hex
    public = json.loads(RSAAlgorithm.to_jwk(pair.public_key())) | {"kid": kid, "alg": ALGORITHM, "use": "sig"}
    private = pair.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with transaction.atomic():
        replaced = ToolKey.objects.first()
        made = ToolKey.objects.create(kid=kid, public_jwk=public, private_key=_fernet().encrypt(private).decode())
        old = ToolKey.objects.filter(created_at__lt=timezone.now() - PUBLISHED_FOR).exclude(pk=made.pk)
        old.exclude(pk=replaced.pk if replaced else made.pk).delete()
    return made


def key_set() -> dict[str, Any]:
    """Return the public keys as a JSON Web Key Set."""
    return {"keys": list(ToolKey.objects.values_list("public_jwk", flat=True))}


def make_first_key() -> None:
    """Make a key if there is none, so that platforms find one as soon as they are registered."""
    if not ToolKey.objects.exists():
        make_key()


def sign(claims: dict[str, Any]) -> str:
    """Return the claims as a token signed with the newest key."""
    key = ToolKey.objects.first() or make_key()
    try:
        private = _fernet().decrypt(key.private_key.encode())
    except InvalidToken:
        # SECRET_KEY was changed, and nothing can sign with this key any more.
        key = make_key()
        private = _fernet().decrypt(key.private_key.encode())
    return jwt.encode(claims, private.decode(), algorithm=ALGORITHM, headers={"kid": key.kid})


def _fernet() -> Fernet:
    derived = HKDF(hashes.SHA256(), length=32, salt=None, info=b"learnagent.lti.keys")
    return Fernet(base64.urlsafe_b64encode(derived.derive(settings.SECRET_KEY.encode())))
