"""Sets and forgets the keys of providers; no answer holds more than their names."""

from typing import Any

from arena_web.api.routing import ApiRequest
from arena_web.api.site import Site


def keys(site: Site, asked: ApiRequest) -> Any:
    """The names of the keys that were typed."""
    return {"keys": site.provider_keys.told(site.provider_keys.names)}


async def set_key(site: Site, asked: ApiRequest) -> Any:
    """Keep a key in memory."""
    name = site.provider_keys.set(asked.body.get("name"), asked.body.get("key"))
    site.trials.renew()
    return {"name": name, "is_set": True}


async def forget_key(site: Site, asked: ApiRequest) -> Any:
    """Forget a key, and end the processes that wait with it; what plays with it plays on."""
    name = str(asked.body.get("name") or "")
    site.provider_keys.forget(name)
    site.trials.renew()
    return {"name": name[:100], "is_set": site.provider_keys.has(name)}
