"""File storage in an S3 bucket. Imported by name from the settings at first use, because its client loads slowly."""

from typing import Any

from boto3.exceptions import Boto3Error
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from storages.backends.s3 import S3Storage

CONNECTED_WITHIN_S = 5
ANSWERED_WITHIN_S = 20


class Bucket(S3Storage):
    """Private files in a bucket; storing a name again replaces the file."""

    failures: tuple[type[Exception], ...] = (BotoCoreError, Boto3Error, ClientError)

    def __init__(self, **options: Any) -> None:
        config = Config(
            connect_timeout=CONNECTED_WITHIN_S,
            read_timeout=ANSWERED_WITHIN_S,
            retries={"total_max_attempts": 2},
            signature_version="s3v4",
            # Self-hosted servers rarely have a host name per bucket, and lack Amazon's newer checksums.
            s3={"addressing_style": "path" if options.get("endpoint_url") else "auto"},
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
        )
        super().__init__(client_config=config, file_overwrite=True, default_acl=None, **options)
