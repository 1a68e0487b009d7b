import { join } from 'node:path'

export interface StrictFiles {
  readonly address: string
  stop(): Promise<void>
}

/** The content security policy under which the console has to work. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "manifest-src 'self'",
].join('; ')

/** Serves the files of a folder on loopback as strictly as the console is served. */
export function serveStrictly(folder: string): StrictFiles {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const file = Bun.file(join(folder, pathname === '/' ? 'index.html' : pathname))
      if (!(await file.exists())) return new Response(null, { status: 404 })
      return new Response(file, { headers: { 'Content-Security-Policy': policy } })
    },
  })
  return { address: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}
