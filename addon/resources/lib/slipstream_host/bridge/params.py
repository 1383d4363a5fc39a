"""Reads the params of a call by name and type. A param of another type raises RpcError -32602."""

from __future__ import annotations

from typing import Dict, List, Optional, cast

from .jsonrpc import INVALID_PARAMS, Params, RpcError


def text(params: Params, name: str) -> str:
    value = params.get(name)
    if not isinstance(value, str):
        raise _invalid(name, "a text")
    return value


def texts(params: Params, name: str) -> List[str]:
    return [text({name: item}, name) for item in _items(params, name, "a list of texts")]


def numbers(params: Params, name: str) -> List[int]:
    return [number({name: item}, name) for item in _items(params, name, "a list of whole numbers")]


def flag(params: Params, name: str) -> bool:
    """False when absent."""
    value = params.get(name)
    if value is not None and not isinstance(value, bool):
        raise _invalid(name, "true or false")
    return value is True


def number(params: Params, name: str) -> int:
    found = optional_number(params, name)
    if found is None:
        raise _invalid(name, "a whole number")
    return found


def whole_number(params: Params, name: str, least: int, most: int) -> int:
    """A whole number from `least` to `most`, both inclusive."""
    found = number(params, name)
    if not least <= found <= most:
        raise _invalid(name, "between %d and %d" % (least, most))
    return found


def optional_number(params: Params, name: str) -> Optional[int]:
    value = params.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise _invalid(name, "a whole number")
    return value


def mapping(params: Params, name: str) -> Params:
    """An object; an empty one when absent or null."""
    value = params.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _invalid(name, "an object")
    return cast(Params, value)


def text_mapping(params: Params, name: str) -> Dict[str, str]:
    found = mapping(params, name)
    return {key: text(found, key) for key in found}


def objects(params: Params, name: str) -> List[Params]:
    return [mapping({name: item}, name) for item in _items(params, name, "a list of objects")]


def control_id(name: str) -> int:
    """The control id in a key: JSON has only texts as keys, Kodi only numbers as control ids."""
    if not (name.isascii() and name.isdigit() and len(name) < 10):
        raise _invalid(name, "a control id")
    return int(name)


def _items(params: Params, name: str, wanted: str) -> List[object]:
    value = params.get(name)
    if not isinstance(value, list):
        raise _invalid(name, wanted)
    return cast(List[object], value)


def _invalid(name: str, expected: str) -> RpcError:
    return RpcError(INVALID_PARAMS, "%s is not %s" % (name, expected))
