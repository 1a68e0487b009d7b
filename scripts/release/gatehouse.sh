#!/bin/sh
# Runs a program of this release with the runtime beside it.
# A .env file of the current folder is not read, nor a bunfig.toml there, which could run code before ours.
# fetch may hold more than bun's 256 connections at once.
# The allocator keeps what was freed for 30 s, and the gaps of blocks in use (scripts/bun.sh has the reason).
set -eu
here=$(dirname "$(readlink -f "$0")")
case "${1:-}" in
  start) program=server/main.js && shift ;;
  verifier) program=server/verifier/main.js && shift ;;
  *) program=server/command-line/main.js ;;
esac
exec env BUN_CONFIG_MAX_HTTP_REQUESTS=65535 \
  MIMALLOC_PURGE_DELAY="${MIMALLOC_PURGE_DELAY:-30000}" MIMALLOC_PURGE_HOLES="${MIMALLOC_PURGE_HOLES:-0}" \
  "$here/bin/bun" --no-env-file --config="$here/bunfig.toml" "$here/$program" "$@"
