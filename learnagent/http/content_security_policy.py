"""The Content-Security-Policy of pages: own scripts with a nonce, no frames, nothing from other hosts."""

from django.utils.csp import CSP

CONTENT_SECURITY_POLICY = {
    "default-src": [CSP.NONE],
    "script-src": [CSP.SELF, CSP.NONCE],
    "style-src": [CSP.SELF],
    "img-src": [CSP.SELF, "blob:"],
    "font-src": [CSP.SELF],
    "media-src": [CSP.SELF],
    "connect-src": [CSP.SELF],
    "manifest-src": [CSP.SELF],
    "worker-src": [CSP.SELF],
    "form-action": [CSP.SELF],
    "base-uri": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
}
