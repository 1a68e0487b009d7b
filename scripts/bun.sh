#!/bin/sh
# Runs a file with the pinned bun: `bun run` alone would take the machine's own, whatever its version.
# A .env file of the current folder is not read, and fetch may hold more than bun's 256 connections at once.
# exec: a signal sent to npm or bun reaches the program itself, not a shell in between.
exec env BUN_CONFIG_MAX_HTTP_REQUESTS=65535 "$(dirname "$0")/../node_modules/.bin/bun" --no-env-file "$@"
