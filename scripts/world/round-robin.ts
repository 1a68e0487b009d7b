/** A load balancer without sticky routing: each request goes to the next server. */
export interface RoundRobin {
  readonly url: string
  /** Which server gets which request, in their order: indices of `servers`. */
  readonly went: number[]
  /** From now on to these only, in turns. */
  use(...servers: readonly number[]): void
  stop(): Promise<void>
}

export function startRoundRobin(urls: readonly string[]): RoundRobin {
  let inUse = urls.map((_, index) => index)
  let turn = 0
  const went: number[] = []

  async function passOn(request: Request): Promise<Response> {
    const index = inUse[turn++ % inUse.length] ?? 0
    went.push(index)
    const { pathname, search } = new URL(request.url)
    const headers = new Headers(request.headers)
    for (const name of ['host', 'connection', 'content-length', 'accept-encoding']) headers.delete(name)
    const { method, signal } = request
    const body = method === 'POST' ? await request.arrayBuffer() : null
    try {
      const answer = await fetch(`${urls[index]}${pathname}${search}`, { method, headers, body, signal })
      return new Response(answer.body, { status: answer.status, headers: answer.headers })
    } catch {
      return new Response('the server is gone', { status: 502 })
    }
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    development: false,
    fetch: passOn,
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    went,
    use(...servers) {
      inUse = [...servers]
    },
    stop: () => server.stop(true),
  }
}
