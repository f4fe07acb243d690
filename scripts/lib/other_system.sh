# Runs commands in the folder of another Debian system, by chroot with separate mount and process namespaces. The kernel removes these with
# the last process. Sourced by scripts/emulate.sh and scripts/platform.sh, which define `fail MESSAGE...`.

# choose_namespaces: sets `namespaces`, the beginning of a command line, and `mode`, which is mmdebstrap's: root, or user namespaces with
# subordinate ids. Fails if neither is allowed here.
choose_namespaces() {
  if [ "$(id -u)" = 0 ]; then
    namespaces=(unshare --mount --pid --fork --kill-child) mode=root
  else
    namespaces=(unshare --user --map-root-user --map-auto --mount --pid --fork --kill-child) mode=unshare
  fi
  "${namespaces[@]}" true 2>/dev/null || {
    [ $mode = root ] || fail "no user namespaces with subordinate ids here (package uidmap, /etc/subuid, kernel.unprivileged_userns_clone); allow them, or run as root"
    fail "root may not make mount namespaces here (a container without CAP_SYS_ADMIN?)"
  }
}

# in_namespace COMMAND...: as root of the namespaces; ended when this script ends.
in_namespace() { setpriv --pdeathsig KILL "${namespaces[@]}" "$@" 9>&-; }

# in_system ROOT FOLDER COMMAND [HERE:THERE | NAME=VALUE]...: by bash in the system's FOLDER, where the folder HERE of this system is
# THERE, in a clean environment with the given variables.
in_system() {
  local mounts=() environment=(HOME=/srv/home PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8) name root=$1
  for name in http_proxy https_proxy no_proxy TERM; do
    [ -z "${!name:-}" ] || environment+=("$name=${!name}")
  done
  for name in "${@:4}"; do
    case "$name" in
      /*) mounts+=("$name") ;;
      *) environment+=("$name") ;;
    esac
  done
  # shellcheck disable=SC2016
  in_namespace bash -euc '
    root=$1 folder=$2 command=$3 mounts=$4
    shift 4
    mount --make-rprivate /
    mkdir -p "$root"/{proc,sys,dev,tmp,srv/home}
    mount -t proc proc "$root/proc"
    mount --rbind /sys "$root/sys"
    mount --rbind /dev "$root/dev"
    while IFS=: read -r here there; do
      [ -n "$here" ] || continue
      mkdir -p "$root$there"
      mount --bind "$here" "$root$there"
    done <<<"$mounts"
    for file in resolv.conf hosts; do
      [ ! -e "/etc/$file" ] || cp -L "/etc/$file" "$root/etc/$file"
    done
    exec chroot "$root" /usr/bin/env -i "$@" bash -euc "cd $folder && $command"
  ' bash "$root" "$2" "$3" "$(printf '%s\n' "${mounts[@]}")" "${environment[@]}"
}
