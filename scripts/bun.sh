#!/bin/sh
# Runs a file with the pinned bun: `bun run` alone would take the machine's own, whatever its version.
# A .env file of the current folder is not read, nor a bunfig.toml there, which could run code before ours.
# fetch may hold more than bun's 256 connections at once.
# exec: a signal sent to npm or bun reaches the program itself, not a shell in between.
top="$(dirname "$0")/.."
if [ ! -x "$top/node_modules/.bin/bun" ]; then
  echo 'The packages are not installed yet: run npm start, or sh scripts/setup.sh, first.' >&2
  exit 1
fi
exec env BUN_CONFIG_MAX_HTTP_REQUESTS=65535 "$top/node_modules/.bin/bun" --no-env-file --config="$top/bunfig.toml" "$@"
