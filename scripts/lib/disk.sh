# require_free GIB WHAT: ends the script with an error unless GIB GiB are free on the disk of this checkout, or used by its build/ already.
# Otherwise a tool detects the full disk late, and does not say what to do.
require_free() {
  local free built=0
  free=$(df --output=avail --block-size=1M . | tail -n 1)
  [ ! -d build ] || built=$(du --summarize --block-size=1M build | cut -f 1)
  [ $((free + built)) -ge $(($1 * 1024)) ] || {
    echo "$(basename "$0"): $2 takes up to $1 GiB of disk, and at $PWD $((free / 1024)) GiB are free; make room, or use a checkout on a larger disk" >&2
    exit 1
  }
}
