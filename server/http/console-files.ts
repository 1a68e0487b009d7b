import { readdirSync } from 'node:fs'
import { extname, join } from 'node:path'

import { Elysia } from 'elysia'

import { consolePages } from '../../shared/console-pages.ts'
import { fault } from '../platform/fault.ts'
import type { ByteLimit } from './byte-limit.ts'
import { consolePolicy } from './console-policy.ts'
import { brotliExtension, type StaticFile, readStaticFile, sendStaticFile } from './static-file.ts'
import { programs } from '../../shared/programs.ts'

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** Fonts and images are compressed already. */
const compressible: ReadonlySet<string> = new Set(['.html', '.js', '.css', '.svg'])

/** Names under `assets/` hold a hash of the content. */
const oneYear = 'public, max-age=31536000, immutable'

/**
 * The console: its files, and its one HTML page at the path of every page that it has. They are read once and kept,
 * as they were built for this server. `folder` is what `vite build console` wrote; without it pages say what to do.
 */
export function consoleFiles(folder: string, reads: ByteLimit) {
  const files = readConsole(folder)
  const app = new Elysia({ name: 'console' })
  for (const path of Object.values(consolePages)) {
    app.get(path, ({ request }) => {
      const page = files.get('index.html')
      if (page === undefined)
        throw fault('unavailable', `The console is not built; ${programs.start} builds it`)
      return sendStaticFile(page, request, reads)
    })
  }
  for (const [name, file] of files) {
    if (name !== 'index.html') app.get(`/${name}`, ({ request }) => sendStaticFile(file, request, reads))
  }
  return app
}

function readConsole(folder: string): ReadonlyMap<string, StaticFile> {
  const files = new Map<string, StaticFile>()
  for (const name of listFiles(folder)) {
    if (!name.endsWith(brotliExtension)) files.set(name, readConsoleFile(folder, name))
  }
  return files
}

function listFiles(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

function readConsoleFile(folder: string, name: string): StaticFile {
  const extension = extname(name)
  const headers = {
    'content-type': contentTypes[extension] ?? 'application/octet-stream',
    'cache-control': name.startsWith('assets/') ? oneYear : 'no-cache',
    ...(extension === '.html' && { 'content-security-policy': consolePolicy }),
  }
  return readStaticFile(join(folder, name), headers, compressible.has(extension))
}
