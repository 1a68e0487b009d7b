/** A node of an EVM chain that knows the answer to a few calls, and that of none to all others. */
export interface AnsweringNode {
  readonly url: string
  stop(): Promise<void>
}

const answers: Readonly<Record<string, unknown>> = {
  eth_chainId: '0x1',
  eth_blockNumber: '0x10',
  eth_gasPrice: '0x7',
}

export function startAnsweringNode(): AnsweringNode {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { id, method } = (await request.json()) as { id: unknown; method: string }
      const result = answers[method]
      const outcome =
        result === undefined ? { error: { code: -32_601, message: 'unknown method' } } : { result }
      return Response.json({ jsonrpc: '2.0', id, ...outcome })
    },
  })
  return { url: `http://127.0.0.1:${server.port}/`, stop: () => server.stop(true) }
}
