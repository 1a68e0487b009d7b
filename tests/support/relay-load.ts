/** What one call through the relay came to. Instants in ms of `performance.now()`. */
export interface RelayedCall {
  readonly startedAt: number
  readonly tookMs: number
  readonly status: number
  /** Seconds; null: it did not say. */
  readonly retryAfter: number | null
  /** `data.reason` of a JSON-RPC error. */
  readonly reason: string | null
}

/** `url` with the query key in it. */
export async function callRelay(url: string, method = 'eth_blockNumber'): Promise<RelayedCall> {
  const startedAt = performance.now()
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
  })
  const answer = (await response.json()) as { error?: { data?: { reason?: string } } }
  const retryAfter = response.headers.get('retry-after')
  return {
    startedAt,
    tookMs: performance.now() - startedAt,
    status: response.status,
    retryAfter: retryAfter === null ? null : Number(retryAfter),
    reason: answer.error?.data?.reason ?? null,
  }
}

export interface RelayLoad {
  /** In the order in which they ended. */
  readonly calls: readonly RelayedCall[]
  stop(): Promise<void>
}

/** So many callers at each address, each of whom calls again as soon as there is an answer. */
export function startRelayLoad(urls: readonly string[], callersEach: number): RelayLoad {
  const calls: RelayedCall[] = []
  const over = new AbortController()
  async function keepCalling(url: string): Promise<void> {
    while (!over.signal.aborted) calls.push(await callRelay(url))
  }
  const callers = urls.flatMap((url) => Array.from({ length: callersEach }, () => keepCalling(url)))
  return {
    calls,
    async stop() {
      over.abort()
      await Promise.all(callers)
    },
  }
}
