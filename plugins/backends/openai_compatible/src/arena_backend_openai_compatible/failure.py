"""Translates what goes wrong on the way to a server to backend errors, each with one sentence."""

import os
import re
import socket
from typing import Final

import aiohttp
from arena.errors import BackendError, BackendUnavailable, BackendUnreachable, TransientBackendError
from arena_openai_protocol import error_message

_PASSWORD: Final = re.compile(r"(?<=//)[^/@\s'\"]+@")


def dropped(error: Exception, where: str) -> BackendError:
    """The error if no whole response came; ``where`` names the server."""
    if isinstance(error, aiohttp.ClientProxyConnectionError):
        advice = "look after the proxy, or put the server into NO_PROXY"
        return BackendUnreachable(f"the proxy to {where} cannot be reached ({_why(error)}); {advice}")
    if isinstance(error, aiohttp.ClientHttpProxyError):
        said = f"the proxy to {where} refuses the connection (status {error.status})"
        if error.status >= 500:
            return TransientBackendError(f"{said}; look after the proxy if it goes on")
        return BackendUnavailable(f"{said}; correct the proxy in the environment, or put the server into NO_PROXY")
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        advice = "name the file of the authority that signed it as ca-file, or correct base-url"
        return BackendUnavailable(f"the certificate of {where} is not trusted ({_why(error)}); {advice}")
    if isinstance(error, aiohttp.ClientSSLError):
        advice = "write http:// if it speaks no TLS, or correct base-url"
        return BackendUnavailable(f"no TLS connection to {where} can be made ({_why(error)}); {advice}")
    if isinstance(error, aiohttp.ClientConnectorError) and isinstance(error.os_error, socket.gaierror):
        advice = "correct base-url or look after the network"
        return BackendUnreachable(f"nobody knows the host of {where} ({_why(error)}); {advice}")
    if isinstance(error, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError):
        return BackendUnreachable(f"no server answers at {where} ({_why(error)}); start it or correct base-url")
    return TransientBackendError(f"{where} broke off ({_why(error)})")


def _why(error: Exception) -> str:
    """The reason in a few words, without the password that an address may hold."""
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        found: object = getattr(error.certificate_error, "verify_message", None) or error.certificate_error
    elif isinstance(error, aiohttp.ClientConnectorError):
        number = error.os_error.errno
        is_lookup = isinstance(error.os_error, socket.gaierror)
        found = os.strerror(number) if number and not is_lookup else error.os_error.strerror or error.os_error
    else:
        found = error
    return error_message(_PASSWORD.sub("", str(found))) or type(error).__name__
