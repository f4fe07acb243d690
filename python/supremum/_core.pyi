from typing import Any, Dict, List, Optional, Tuple

ERROR_CODES: List[Tuple[str, int]]
DEFAULT_MAX_BYTES: int

def load(path: Optional[str], content: Optional[bytes], max_bytes: int) -> Any: ...
def check(
    path: Optional[str], content: Optional[bytes], profile: str, identical_shapes_only: bool
) -> Tuple[List[Tuple[str, str, str, str, str, str]], List[str], int]: ...
def __getattr__(name: str) -> Any: ...
