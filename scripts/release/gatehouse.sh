#!/bin/sh
# Runs a program of this release with the runtime beside it.
# A .env file of the current folder is not read, nor a bunfig.toml there, which could run code before ours.
# fetch may hold more than bun's 256 connections at once.
set -eu
here=$(dirname "$(readlink -f "$0")")
case "${1:-}" in
  start) program=server/main.js && shift ;;
  verifier) program=server/verifier/main.js && shift ;;
  *) program=server/command-line/main.js ;;
esac
exec env BUN_CONFIG_MAX_HTTP_REQUESTS=65535 "$here/bin/bun" --no-env-file --config="$here/bunfig.toml" "$here/$program" "$@"
