import { readFileSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'

import { Elysia } from 'elysia'

import { consolePages } from '../../shared/console-pages.ts'
import { fault } from '../platform/fault.ts'
import { consolePolicy } from './console-policy.ts'

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

interface ConsoleFile {
  readonly plain: Uint8Array<ArrayBuffer>
  readonly gzipped: Uint8Array<ArrayBuffer> | null
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The console: its files, and its one HTML page at the path of every page that it has. They are read once and kept,
 * as they were built for this server. `folder` is what `vite build console` wrote; without it pages say what to do.
 */
export function consoleFiles(folder: string) {
  const files = readConsole(folder)
  const app = new Elysia({ name: 'console' })
  for (const path of Object.values(consolePages)) {
    app.get(path, ({ request }) => {
      const page = files.get('index.html')
      if (page === undefined) throw fault('unavailable', 'The console is not built; npm start builds it')
      return send(page, request)
    })
  }
  for (const [name, file] of files) {
    if (name !== 'index.html') app.get(`/${name}`, ({ request }) => send(file, request))
  }
  return app
}

function readConsole(folder: string): ReadonlyMap<string, ConsoleFile> {
  const files = new Map<string, ConsoleFile>()
  for (const name of listFiles(folder)) files.set(name, readConsoleFile(folder, name))
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

function readConsoleFile(folder: string, name: string): ConsoleFile {
  const plain = new Uint8Array(readFileSync(join(folder, name)))
  const extension = extname(name)
  const isPage = extension === '.html'
  const isCompressed = compressible.has(extension)
  return {
    plain,
    gzipped: isCompressed ? Bun.gzipSync(plain, { level: 9 }) : null,
    headers: {
      'content-type': contentTypes[extension] ?? 'application/octet-stream',
      'cache-control': name.startsWith('assets/') ? oneYear : 'no-cache',
      etag: `"${Bun.hash(plain).toString(36)}"`,
      ...(isPage && { 'content-security-policy': consolePolicy }),
      ...(isCompressed && { vary: 'accept-encoding' }),
    },
  }
}

function send({ plain, gzipped, headers }: ConsoleFile, request: Request): Response {
  if (request.headers.get('if-none-match') === headers.etag)
    return new Response(null, { status: 304, headers })
  const takesGzip = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
  if (gzipped === null || !takesGzip) return new Response(plain, { headers })
  return new Response(gzipped, { headers: { ...headers, 'content-encoding': 'gzip' } })
}
