/** What is altered on the way to the server. */
export interface Alterations {
  /** In place of the families with which a verifier enrols: its signature does not cover them. */
  families?: readonly string[]
  /** Added to every request. */
  headers: Record<string, string>
}

export interface AlteringProxy {
  readonly url: string
  /** May be changed at any time. */
  readonly alterations: Alterations
  stop(): Promise<void>
}

/** Stands between a verifier and the server, so that one that speaks the protocol well can be made to differ. */
export function startAlteringProxy(target: string, alterations: Alterations): AlteringProxy {
  const proxy = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const headers = new Headers(request.headers)
      for (const [name, value] of Object.entries(alterations.headers)) headers.set(name, value)
      headers.delete('content-length')
      const body = await request.text()
      const { families } = alterations
      const isNarrowed = families !== undefined && pathname.endsWith('/enroll')
      return fetch(target + pathname, {
        method: request.method,
        headers,
        ...(body !== '' && { body: isNarrowed ? JSON.stringify({ ...JSON.parse(body), families }) : body }),
      })
    },
  })
  return { url: `http://127.0.0.1:${proxy.port}`, alterations, stop: () => proxy.stop(true) }
}
