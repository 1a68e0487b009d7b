import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'

import {
  createTestInstallation,
  type GatehouseProcess,
  type TestInstallation,
} from '../../scripts/world/gatehouse-process.ts'
import { makeQueryKeys } from '../../scripts/world/made-query-keys.ts'
import {
  okAnswer,
  type RawRequest,
  type RawUpstream,
  startRawUpstream,
} from '../../scripts/world/raw-upstream.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { EndpointSettings } from '../../shared/call-settings.ts'

export type CallOfCase = readonly [method: string, ...params: unknown[]]

/**
 * Cases of other relays' test suites in our own words: what a caller sends, what the nodes of an endpoint say to it in the
 * order in which they are asked, and what the caller gets of our server.
 */
export interface BorrowedCase {
  /** As in the table `server/relay/borrowed-cases.md`. */
  readonly name: string
  /** What is sent: a method with its parameters, or a body as it is. */
  readonly sent: CallOfCase | string
  /** What whoever is asked first, second, … answers; the last one of these counts for all further ones. */
  readonly replies: readonly NodeReply[]
  /** How many nodes there are; two without a word. */
  readonly nodes?: number
  readonly settings?: Partial<EndpointSettings>
  /** What is called before, in this order. */
  readonly before?: readonly CallOfCase[]
  /** How often it is sent, one after the other; the last answer counts. Once without a word. */
  readonly times?: number
  /** How often it is sent at once; all must get the same. */
  readonly atOnce?: number
  /** What each node answers to other methods: a result, or a reply. */
  readonly knows?: Readonly<Record<string, unknown>>
  /** What comes back. Of an error only the members that are named. */
  readonly gets: { readonly status?: number; readonly result?: unknown; readonly error?: object } | unknown[]
  /** How often nodes are asked for the method. */
  readonly asked: number
}

export interface NodeCall {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** What asks for the newest block. */
export const head = ['eth_blockNumber'] as const
/** An account, as it is written with a checksum. */
export const account = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'

export type NodeReply = (request: RawRequest, calls: readonly NodeCall[], isBatch: boolean) => void

/** The answer to each call: its members besides `jsonrpc` and `id`; null leaves it out. */
export const says =
  (members: (call: NodeCall) => object | null, status = '200 OK'): NodeReply =>
  (request, calls, isBatch) => {
    const answers = calls.flatMap((call) => {
      const rest = members(call)
      return rest === null ? [] : [{ jsonrpc: '2.0', id: call.id, ...rest }]
    })
    const body = JSON.stringify(isBatch ? answers : answers[0])
    request.write(okAnswer(body).replace('200 OK', status))
  }
export const result = (value: unknown): NodeReply => says(() => ({ result: value }))
export const error = (code: number, message: string, status = '200 OK', data?: unknown): NodeReply =>
  says(() => ({ error: { code, message, ...(data === undefined ? {} : { data }) } }), status)
export const plain =
  (status: string, body = '', fields = ''): NodeReply =>
  (request) =>
    request.write(`HTTP/1.1 ${status}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${fields}\r\n${body}`)
export const resets: NodeReply = ({ reset }) => reset()
export const hangs: NodeReply = () => undefined

/** What every node knows besides: the relay asks for it on its own. */
const known: Readonly<Record<string, unknown>> = {
  eth_chainId: '0x7a69',
  eth_blockNumber: '0x100',
  eth_getBlockByNumber: { number: '0x100', hash: `0x${'ab'.repeat(32)}` },
}

interface BorrowedWorld {
  start(): Promise<void>
  stop(): Promise<void>
  /** Sends what the case says, and returns what its `gets` and `asked` are compared with. */
  play(borrowed: BorrowedCase): Promise<{ readonly gets: unknown; readonly asked: number }>
}

interface Played {
  readonly nodes: readonly RawUpstream[]
  asked: number
}

const methodOf = ({ sent }: BorrowedCase): string => {
  if (typeof sent !== 'string') return sent[0]
  return /"method"\s*:\s*"(\w+)"/.exec(sent)?.[1] ?? ''
}

function startNodes(borrowed: BorrowedCase): Played {
  const method = methodOf(borrowed)
  const played: Played = {
    asked: 0,
    nodes: Array.from({ length: borrowed.nodes ?? 2 }, () => startRawUpstream(answer)),
  }
  function answer(request: RawRequest): void {
    const body = JSON.parse(request.body) as NodeCall | NodeCall[]
    const calls = Array.isArray(body) ? body : [body]
    const isAsked = calls.some((call) => call.method === method)
    const reply = isAsked ? (borrowed.replies[played.asked++] ?? borrowed.replies.at(-1)) : other(calls)
    reply?.(request, calls, Array.isArray(body))
  }
  function other([first]: readonly NodeCall[]): NodeReply {
    const knows = { ...known, ...borrowed.knows }
    const said = knows[first?.method ?? '']
    return typeof said === 'function'
      ? (said as NodeReply)
      : says((call) => ({ result: knows[call.method] ?? null }))
  }
  return played
}

const nameOf = (index: number): string => `case-${index + 1}`

/** One server for many cases: each has an endpoint with nodes of its own. */
function createBorrowedWorld(cases: readonly BorrowedCase[]): BorrowedWorld {
  const played = cases.map(startNodes)
  let installation: TestInstallation
  let server: GatehouseProcess
  const keys: string[] = []
  return {
    async start() {
      installation = await createTestInstallation({
        verifiers: { builtIn: false },
        chains: { testnet: { family: 'evm', chainId: 31_337, blockMs: 1_000 } },
        endpoints: cases.map(({ settings }, index) => ({
          name: nameOf(index),
          chain: 'testnet',
          upstreams: played[index]?.nodes.map(({ url }) => ({ url })),
          settings: { hedge: 'off', ...settings },
        })),
      })
      server = await installation.start()
      const wishes = cases.map((_, index) => ({ name: nameOf(index), endpoint: nameOf(index) }))
      const made = await makeQueryKeys(await signInAt(server.url), server.url, wishes)
      keys.push(...made.map(({ key }) => key))
    },
    async stop() {
      await installation?.remove()
      for (const { nodes } of played) for (const node of nodes) node.stop()
    },
    async play(borrowed) {
      const { sent, before = [], times = 1, atOnce = 1 } = borrowed
      const index = cases.indexOf(borrowed)
      const post = async (body: CallOfCase | string): Promise<unknown> => {
        const url = `${server.url}/rpc/${nameOf(index)}/${keys[index]}`
        return answerOf(await fetch(url, { method: 'POST', body: bodyOf(body) }))
      }
      for (const call of before) await post(call)
      for (let time = 1; time < times; time++) await post(sent)
      const all = await Promise.all(Array.from({ length: atOnce }, () => post(sent)))
      const different = new Set(all.map((answer) => JSON.stringify(answer)))
      if (different.size > 1) throw new Error(`not all got the same: ${[...different].join(' ')}`)
      const asked = (): number => played[index]?.asked ?? 0
      // Of several nodes that are asked at once, one may answer before the others have heard of it.
      await waitUntil(`nodes are asked ${borrowed.asked} times`, () => asked() >= borrowed.asked)
      return { gets: all[0], asked: asked() }
    },
  }
}

const bodyOf = (sent: CallOfCase | string): string =>
  typeof sent === 'string'
    ? sent
    : JSON.stringify({ jsonrpc: '2.0', id: 1, method: sent[0], params: sent.slice(1) })

async function answerOf(response: Response): Promise<unknown> {
  const answer: unknown = await response.json()
  return Array.isArray(answer) ? answer : { status: response.status, ...(answer as object) }
}

/** Plays each case, and looks whether the table for readers tells of it. */
export function testBorrowedCases(cases: readonly BorrowedCase[]): void {
  const world = createBorrowedWorld(cases)
  beforeAll(world.start, 90_000)
  afterAll(world.stop, 30_000)

  test.each(cases.map((each) => [each.name, each] as const))('%s', async (_, each) => {
    expect(await world.play(each)).toMatchObject({ gets: each.gets, asked: each.asked })
  })

  test('the table tells of each', () => {
    expect(casesNotInTable(cases.map(({ name }) => name))).toEqual([])
  })
}

/** Those that the table for readers does not tell of. */
function casesNotInTable(names: readonly string[]): string[] {
  const table = readFileSync('server/relay/borrowed-cases.md', 'utf8')
  return names.filter((name) => !table.includes(`| ${name} `))
}
