import { join } from 'node:path'

import { consolePolicy } from '../../server/http/console-policy.ts'

export interface StrictFiles {
  readonly address: string
  stop(): Promise<void>
}

/** Serves the files of a folder on loopback as strictly as the console is served. */
export function serveStrictly(folder: string): StrictFiles {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const file = Bun.file(join(folder, pathname === '/' ? 'index.html' : pathname))
      if (!(await file.exists())) return new Response(null, { status: 404 })
      return new Response(file, { headers: { 'Content-Security-Policy': consolePolicy } })
    },
  })
  return { address: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}
