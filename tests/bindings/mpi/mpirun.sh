#!/bin/sh
# Runs mpirun with a folder of its own for its session.
#
#   mpirun.sh MPIRUN ARGUMENTS...
#
# By default every mpirun of a user has its session below the same temporary folder, and the last one to end removes it: of two that
# run at once, one then fails to begin, with "orte_session_dir failed". The path is short, since the session has sockets.
folder=$(mktemp -d -t mpirun.XXXXXX) || exit 1
trap 'rm -rf "$folder"' EXIT
OMPI_MCA_orte_tmpdir_base=$folder PRTE_MCA_prte_tmpdir_base=$folder "$@"
