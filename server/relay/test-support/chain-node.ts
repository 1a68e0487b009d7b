import { notificationText, resultText } from '../websocket/test-support/scripted-node.ts'

/** A call as a node received it. */
export interface ReceivedCall {
  readonly method: string
  readonly params: readonly unknown[]
}

/** A node whose head a test sets. It answers `eth_call` and the like with its name, and has a log in every block. */
export interface ScriptedChainNode {
  readonly url: string
  head: number
  /** Answers nothing before this resolves; null: answers at once. */
  held: Promise<void> | null
  /** The most blocks of one call for logs, and what it says to more. */
  logLimit: { readonly blocks: number; readonly says: string } | null
  /** Says to which calls it answers that they are too many; `place`: in their batch. */
  limits: (method: string, place: number) => boolean
  readonly calls: readonly ReceivedCall[]
  /** Returns the parameters with which a method was called. */
  paramsOf(method: string): (readonly unknown[])[]
  /** Tells the subscribers of new heads about its head. */
  announce(): void
  stop(): Promise<void>
}

const hex = (height: number): string => `0x${height.toString(16)}`

interface Message extends ReceivedCall {
  readonly id: number
}

export function startChainNode(name: string, head: number): ScriptedChainNode {
  const calls: ReceivedCall[] = []
  const sockets = new Set<Bun.ServerWebSocket<undefined>>()

  function answer({ id, method, params }: Message, place = 0): object {
    calls.push({ method, params })
    const isLimited = node.limits(method, place)
    const result = isLimited ? new Error('rate limit exceeded') : resultOf(method, params)
    return { jsonrpc: '2.0', id, ...(result instanceof Error ? errorOf(result) : { result }) }
  }

  function resultOf(method: string, params: readonly unknown[]): unknown {
    switch (method) {
      case 'eth_blockNumber':
        return hex(node.head)
      case 'eth_getBlockByNumber': {
        const height = params[0] === 'latest' ? node.head : Number(params[0])
        return height <= node.head ? { number: hex(height), by: name } : null
      }
      case 'eth_getLogs':
        return logsOf(params[0] as { fromBlock: string; toBlock: string })
      case 'eth_getTransactionReceipt':
        return Number(params[0]) <= node.head ? { blockNumber: params[0], by: name } : null
      default:
        return Number(params.at(-1)) > node.head ? new Error('header not found') : name
    }
  }

  function logsOf({ fromBlock, toBlock }: { fromBlock: string; toBlock: string }): unknown {
    const from = Number(fromBlock)
    const to = toBlock === 'latest' ? node.head : Number(toBlock)
    if (node.logLimit !== null && to - from + 1 > node.logLimit.blocks) return new Error(node.logLimit.says)
    const last = Math.min(to, node.head)
    return Array.from({ length: Math.max(0, last - from + 1) }, (_, index) => ({
      blockNumber: hex(from + index),
    }))
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request, bun) {
      if (request.headers.has('upgrade'))
        return bun.upgrade(request) ? undefined : new Response(null, { status: 400 })
      const body = (await request.json()) as Message | Message[]
      const answers = Array.isArray(body) ? body.map((each, place) => answer(each, place)) : answer(body)
      await node.held
      return Response.json(answers)
    },
    websocket: {
      message(socket: Bun.ServerWebSocket<undefined>, text) {
        const { id } = JSON.parse(String(text)) as Message
        sockets.add(socket)
        socket.send(resultText(id, '0xabc'))
      },
    },
  })

  const node: ScriptedChainNode = {
    url: `http://127.0.0.1:${server.port}`,
    head,
    held: null,
    logLimit: null,
    limits: () => false,
    calls,
    paramsOf: (method) => calls.filter((call) => call.method === method).map(({ params }) => params),
    announce() {
      const header = { parentHash: '0x1', number: hex(node.head) }
      for (const socket of sockets) socket.send(notificationText('0xabc', header))
    },
    stop: () => server.stop(true),
  }
  return node
}

const errorOf = ({ message }: Error): object => ({ error: { code: -32_000, message } })
