import * as z from 'zod/mini'

import { repeat, type Repeating } from '../repeating.ts'
import type { CallSeen, CallOutcome, CallerKind } from './record.ts'

/** A node whose answers nobody needs: it notes when it got which call. */
export interface CallNode {
  readonly url: string
  /** When the call of this number came first; null where it never did. */
  reachedAt(number: number): number | null
  stop(): Promise<void>
}

const method = 'eth_getBalance'
const NodeCall = z.object({ id: z.unknown(), method: z.string(), params: z.optional(z.array(z.unknown())) })

export function startCallNode(): CallNode {
  const reached = new Map<number, number>()
  const answer = (body: unknown) => {
    const call = NodeCall.parse(body)
    if (call.method !== method) return { jsonrpc: '2.0', id: call.id, result: '0x1' }
    const number = Number(call.params?.[0])
    if (!reached.has(number)) reached.set(number, performance.now())
    return { jsonrpc: '2.0', id: call.id, result: '0x1' }
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const body: unknown = await request.json()
      return Response.json(Array.isArray(body) ? body.map(answer) : answer(body))
    },
  })
  return {
    url: server.url.href,
    reachedAt: (number) => reached.get(number) ?? null,
    stop: () => server.stop(true),
  }
}

/** A key under load. */
export interface CalledKey {
  readonly name: string
  readonly value: string
  readonly traffic: Extract<CallerKind, 'relay free' | 'relay limited'>
  readonly callers: number
  readonly everyMs: number
}

const patienceMs = 30_000
let lastNumber = 0

/** Callers of one key, each of whom calls again some time after an answer. */
export function startCallersOf(key: CalledKey, base: string, node: CallNode, seen: CallSeen[]): Repeating {
  async function callOnce(): Promise<void> {
    const number = ++lastNumber
    const sentAt = performance.now()
    const { outcome, detail } = await callRelayOnce(`${base}/rpc/testnet/${key.value}`, number)
    const answeredAt = performance.now()
    const { name, traffic } = key
    seen.push({ traffic, key: name, sentAt, answeredAt, outcome, detail, reachedAt: node.reachedAt(number) })
  }
  const callers = Array.from({ length: key.callers }, () => repeat(callOnce, key.everyMs))
  return {
    async stop() {
      await Promise.all(callers.map((caller) => caller.stop()))
    },
  }
}

async function callRelayOnce(url: string, number: number): Promise<{ outcome: CallOutcome; detail: string }> {
  const account = `0x${number.toString(16).padStart(40, '0')}`
  const body = JSON.stringify({ jsonrpc: '2.0', id: number, method, params: [account, 'latest'] })
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(patienceMs),
    })
    const text = await response.text()
    const isAnswered = response.status === 200 && text.includes('"result"')
    return isAnswered ? { outcome: 'answered', detail: '' } : refusalIn(response.status, text)
  } catch (error) {
    return { outcome: 'cut', detail: String(error) }
  }
}

const outcomes: Readonly<Record<number, CallOutcome>> = {
  429: 'limited',
  404: 'lost',
  502: 'cut',
  504: 'cut',
}

/** What an answer that is none amounts to. */
export const refusalIn = (status: number, text: string): { outcome: CallOutcome; detail: string } => ({
  outcome: outcomes[status] ?? 'unavailable',
  detail: `${status} ${text.slice(0, 200)}`,
})
