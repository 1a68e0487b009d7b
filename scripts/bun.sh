#!/bin/sh
# Runs a file with the pinned bun: `bun run` alone would take the machine's own, whatever its version.
# A .env file of the current folder is not read, nor a bunfig.toml there, which could run code before ours.
# fetch may hold more than bun's 256 connections at once.
# The allocator keeps what was freed for 30 s, and the gaps of blocks in use: given back to the system after a tenth of a
# second, as bun has it, they come back as page faults, which were a quarter of a relayed call (scripts/bench/README.md).
# exec: a signal sent to npm or bun reaches the program itself, not a shell in between.
top="$(dirname "$0")/.."
if [ ! -x "$top/node_modules/.bin/bun" ]; then
  echo 'The packages are not installed yet: run npm start, or sh scripts/setup.sh, first.' >&2
  exit 1
fi
exec env BUN_CONFIG_MAX_HTTP_REQUESTS=65535 \
  MIMALLOC_PURGE_DELAY="${MIMALLOC_PURGE_DELAY:-30000}" MIMALLOC_PURGE_HOLES="${MIMALLOC_PURGE_HOLES:-0}" \
  "$top/node_modules/.bin/bun" --no-env-file --config="$top/bunfig.toml" "$@"
