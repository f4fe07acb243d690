from typing import Any, Dict, List, Optional, Tuple

ERROR_CODES: List[Tuple[str, int]]
DEFAULT_MAX_BYTES: int
torch_version: str  # that supremum._torch was built for; empty: it was not built

def load(
    path: Optional[str], content: Optional[bytes], max_bytes: int, allow_external_data: bool, external_data_root: bytes
) -> Tuple[Any, bytes]: ...
def check(
    path: Optional[str], content: Optional[bytes], profile: str, identical_shapes_only: bool, dims: Dict[str, int]
) -> Tuple[List[Tuple[str, str, str, str, str, str]], List[str], int, Optional[str]]: ...
def annotate(content: bytes, dims: Dict[str, int]) -> Tuple[bytes, List[Tuple[str, str, str]], List[str]]: ...
def max_with_bounds(arrays: Any, bounds: Any, threads: Optional[int]) -> Tuple[Any, Any, Any, Any]: ...
def reinterpret(x: Any, dtype: str) -> Any: ...

class DLPackTensor:
    dtype: str
    __reduce__: Any

def __getattr__(name: str) -> Any: ...
