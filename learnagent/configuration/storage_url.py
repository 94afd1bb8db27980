"""`STORAGE_URL`: where uploads lie, read into what Django calls a storage."""

from typing import Any
from urllib.parse import parse_qs, unquote

from learnagent.configuration.account_urls import split_account_url


def parse_storage(url: str) -> dict[str, Any]:
    """Return Django's settings for the storage of files; the data folder where the address is empty. Raises ValueError.

    `s3://[KEY:SECRET@]BUCKET[/PREFIX][?endpoint=https://HOST:PORT&region=NAME]`. Without key and secret, the client looks
    where Amazon's tools do: in its own variables, and at the machine's role.
    """
    if not url:
        return {"BACKEND": "conversations.library.file_store.DataFolder"}
    parts = split_account_url(url)
    asked = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    if parts.scheme != "s3":
        raise ValueError("must start with s3:// (leave it unset for files in LEARNAGENT_DATA)")
    if unknown := asked.keys() - {"endpoint", "region"}:
        raise ValueError(f"accepts only endpoint and region, not {min(unknown)}")
    if not (bucket := parts.netloc.rpartition("@")[2]):
        raise ValueError("has no bucket; write it as s3://BUCKET")
    if not asked.get("endpoint", "https://").startswith(("http://", "https://")):
        raise ValueError("?endpoint= must start with http:// or https://")
    if (parts.username is None) != (parts.password is None):
        raise ValueError("needs both the key and its secret, or neither; write it as s3://KEY:SECRET@BUCKET")
    options = {
        "bucket_name": bucket,
        "access_key": unquote(parts.username) if parts.username else None,
        "secret_key": unquote(parts.password) if parts.password else None,
        "location": unquote(parts.path).strip("/"),
        "endpoint_url": asked.get("endpoint"),
        "region_name": asked.get("region"),
    }
    given = {name: value for name, value in options.items() if value}
    return {"BACKEND": "conversations.library.bucket_store.Bucket", "OPTIONS": given}
