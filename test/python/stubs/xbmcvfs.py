def translatePath(path: str) -> str:
    return path
