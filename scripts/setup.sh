#!/bin/sh
# Makes a fresh clone ready to run, with npm or with bun alone; silent when there is nothing to do.
set -eu
cd "$(dirname "$0")/.."

# A copy of the lock file is written last, so an interrupted installation is repeated. It is replaced rather than
# overwritten, because the file may be shared with another folder by a hard link.
installed_lock=node_modules/.installed-package-lock.json

# `npm ci` is not used: it refuses a lock file that lacks the optional binaries of platforms other than the one it was
# written on, as some versions of npm leave it (npm/cli#4828). `npm ls` on the lock file alone fails when package.json
# asks for something else, and `npm install --no-save` then installs the locked versions and leaves the lock file alone.
install_packages() {
  if command -v npm >/dev/null 2>&1; then
    echo 'Installing packages with npm (once, and again when package-lock.json changes) ...'
    npm ls --package-lock-only --loglevel=error >/dev/null
    npm install --no-save --ignore-scripts --loglevel=error
  else
    echo 'Installing packages with bun (once, and again when package-lock.json changes) ...'
    bun install --frozen-lockfile --ignore-scripts
  fi
}

# Scripts of packages do not run at installation. The one that is needed puts the bun binary of this platform in place;
# the libraries of the embedded PostgreSQL are linked by the server when it starts it.
complete_bun() {
  node_modules/.bin/bun --version >/dev/null 2>&1 && return 0
  if command -v node >/dev/null 2>&1; then
    node node_modules/bun/install.js
  else
    bun node_modules/bun/install.js
  fi
}

if ! cmp -s package-lock.json "$installed_lock"; then
  install_packages
  complete_bun
  rm -f "$installed_lock"
  cp package-lock.json "$installed_lock"
fi

# Made again when the console, what it shares with the server, or a package is newer than what was built.
console_is_built() {
  built=console/dist/index.html
  [ -f "$built" ] && [ -z "$(find console shared package-lock.json \( -path console/dist -o -path console/pictures \) -prune -o -newer "$built" -print -quit)" ]
}

if ! console_is_built; then
  echo 'Building the console (once, and again when it changes) ...'
  sh scripts/bun.sh node_modules/vite/bin/vite.js build console --logLevel warn
fi
