/** How a node fails that repeats, wherever it can, the address and the headers with which it was asked. */
export const reflections = [
  'status-500',
  'status-401',
  'status-429',
  'garbage',
  'rpc-error',
  'redirect',
  'wrong-values',
  'never-answers',
] as const
export type Reflection = (typeof reflections)[number]

export interface ReflectingNode {
  readonly port: number
  /** Secrets that arrived, so that a test can tell that they were really used. */
  received(): string
  stop(): Promise<void>
}

/** The first segment of the path says how it fails: `/garbage/…`. */
export function startReflectingNode(): ReflectingNode {
  let received = ''
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const { pathname, href } = new URL(request.url)
      const asked = `${href} ${JSON.stringify(request.headers.toJSON())}`
      received += `${asked}\n`
      const mode = reflections.find((reflection) => pathname.startsWith(`/${reflection}`))
      return answer(mode ?? 'status-500', asked, href)
    },
  })
  return {
    port: Number(server.port),
    received: () => received,
    stop: () => server.stop(true),
  }
}

function answer(mode: Reflection, asked: string, href: string): Response | Promise<Response> {
  const headers = { 'x-asked': encodeURIComponent(asked), 'content-type': 'application/json' }
  const json = (value: unknown, status = 200) => Response.json(value, { status, headers })
  switch (mode) {
    case 'status-500':
      return new Response(`cannot serve ${asked}`, { status: 500, statusText: asked.slice(0, 60), headers })
    case 'status-401':
      return json({ error: asked }, 401)
    case 'status-429':
      return new Response(asked, { status: 429, headers: { ...headers, 'retry-after': '1' } })
    case 'garbage':
      return new Response(`<html>${asked}</html>`, { headers })
    case 'rpc-error':
      return json({ jsonrpc: '2.0', id: 1, error: { code: -32_000, message: asked, data: asked } })
    case 'redirect':
      return new Response(null, { status: 302, headers: { ...headers, location: `${href}/elsewhere` } })
    case 'wrong-values':
      return json({ jsonrpc: '2.0', id: 1, result: { number: asked, chain: asked, hash: asked } })
    case 'never-answers':
      return new Promise(() => undefined)
  }
}
