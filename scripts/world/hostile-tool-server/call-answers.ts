import { brotliCompressSync, constants } from 'node:zlib'

import { endless, lengthy, silence } from './streams.ts'

type Answer = (id: string | number) => Response | Promise<Response>

const hugeBytes = 100 << 20
const bombBytes = 100 << 20
const depth = 200_000

const jsonType = { 'content-type': 'application/json' }
const eventType = { 'content-type': 'text/event-stream' }

const result = (id: string | number, value: unknown) => JSON.stringify({ jsonrpc: '2.0', id, result: value })
const deepResult = (id: string | number) =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":${'['.repeat(depth)}${']'.repeat(depth)}}}`

const huge = new Uint8Array(hugeBytes).fill(0x61)
const plainBomb = new Uint8Array(bombBytes).fill(0x20)
const bombs = {
  gzip: Bun.gzipSync(plainBomb),
  br: brotliCompressSync(plainBomb, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
}

const bomb = (encoding: 'gzip' | 'br'): Response =>
  new Response(new Uint8Array(bombs[encoding]), { headers: { ...jsonType, 'content-encoding': encoding } })

/** What it answers to the call of a tool of that name. */
export const callAnswers: Readonly<Record<string, Answer>> = {
  fine: (id) =>
    new Response(result(id, { content: [{ type: 'text', text: 'fine' }] }), { headers: jsonType }),
  hang: silence,
  drip: () => new Response(endless('{"jsonrpc":"2.0",', ' ', 20), { headers: jsonType }),
  'drip-events': () => new Response(endless(': hello\n\n', ': still here\n\n', 20), { headers: eventType }),
  huge: () => new Response(lengthy(hugeBytes), { headers: jsonType }),
  'huge-announced': () => new Response(huge, { headers: jsonType }),
  gzip: () => bomb('gzip'),
  brotli: () => bomb('br'),
  line: () => new Response(endless('data: ', 'a'.repeat(65_536)), { headers: eventType }),
  events: () =>
    new Response(endless('', `data: {"jsonrpc":"2.0","method":"x"}\n\n`.repeat(1_000)), {
      headers: eventType,
    }),
  /** As `events`, in pieces so small that each is read before the flood shows. */
  'events-apart': () =>
    new Response(endless('', `data: {"jsonrpc":"2.0","method":"x"}\n\n`.repeat(100), 1), {
      headers: eventType,
    }),
  values: (id) =>
    new Response(result(id, { content: [], values: Array.from({ length: 1_300_000 }, () => []) }), {
      headers: jsonType,
    }),
  deep: (id) => new Response(deepResult(id), { headers: jsonType }),
  'deep-event': (id) => new Response(`: "\ndata: ${deepResult(id)}\n\n`, { headers: eventType }),
  garbage: () => new Response('{"jsonrpc":"2.0",,,', { headers: jsonType }),
  'garbage-event': () => new Response('data: {{{\n\n', { headers: eventType }),
  'no-answer': () => new Response(': bye\n\n', { headers: eventType }),
  'wrong-id': () => new Response(result('another', { content: [] }), { headers: jsonType }),
  'no-object': (id) => new Response(result(id, 'text'), { headers: jsonType }),
  html: () => new Response('<script>alert(1)</script>', { headers: { 'content-type': 'text/html' } }),
  redirect: () => new Response(null, { status: 307, headers: { location: 'http://10.0.0.1:6379/' } }),
  failure: () => new Response('secret words of the peer', { status: 500 }),
}
