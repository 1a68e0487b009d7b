#!/bin/sh
# Makes a fresh clone ready to run, with npm or with bun alone; silent when there is nothing to do.
set -eu
cd "$(dirname "$0")/.."

# Each package manager writes its stamp last, so an interrupted installation is repeated.
packages_are_installed() {
  for stamp in node_modules/.package-lock.json node_modules/.installed-by-bun; do
    if [ -f "$stamp" ] && [ ! package-lock.json -nt "$stamp" ]; then
      return 0
    fi
  done
  return 1
}

# `npm ci` is not used: it refuses a lock file that lacks the optional binaries of platforms other than the one it was
# written on (npm/cli#4828). `npm install --no-save` installs the locked versions too and leaves the lock file alone.
install_packages() {
  if command -v npm >/dev/null 2>&1; then
    echo 'Installing packages with npm (once, and again when package-lock.json changes) ...'
    npm install --no-save --loglevel=error
  else
    echo 'Installing packages with bun (once, and again when package-lock.json changes) ...'
    bun install --frozen-lockfile
    touch node_modules/.installed-by-bun
  fi
}

# The bun package fetches its binary in an install script, which a machine may forbid (`ignore-scripts`).
complete_bun() {
  node_modules/.bin/bun --version >/dev/null 2>&1 && return 0
  if command -v node >/dev/null 2>&1; then
    node node_modules/bun/install.js
  else
    bun node_modules/bun/install.js
  fi
}

if ! packages_are_installed; then
  install_packages
  complete_bun
fi

# Made again when the console, what it shares with the server, or a package is newer than what was built.
console_is_built() {
  built=console/dist/index.html
  [ -f "$built" ] && [ -z "$(find console shared package-lock.json -path console/dist -prune -o -newer "$built" -print -quit)" ]
}

if ! console_is_built; then
  echo 'Building the console (once, and again when it changes) ...'
  sh scripts/bun.sh node_modules/vite/bin/vite.js build console --logLevel warn
fi
