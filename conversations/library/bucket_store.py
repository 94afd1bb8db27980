"""A bucket of a server that speaks S3. Imported by the settings' name at its first use: its client takes long to load."""

from typing import Any

from boto3.exceptions import Boto3Error
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from storages.backends.s3 import S3Storage

CONNECTED_WITHIN_S = 5
ANSWERED_WITHIN_S = 20


class Bucket(S3Storage):
    """Private files in a bucket; one that is stored again takes the place of the first."""

    failures: tuple[type[Exception], ...] = (BotoCoreError, Boto3Error, ClientError)

    def __init__(self, **options: Any) -> None:
        config = Config(
            connect_timeout=CONNECTED_WITHIN_S,
            read_timeout=ANSWERED_WITHIN_S,
            retries={"total_max_attempts": 2},
            signature_version="s3v4",
            # A server of one's own seldom has a name for each bucket, and knows few of Amazon's newer checksums.
            s3={"addressing_style": "path" if options.get("endpoint_url") else "auto"},
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
        )
        super().__init__(client_config=config, file_overwrite=True, default_acl=None, **options)
