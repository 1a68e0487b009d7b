import { expect, test } from 'bun:test'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import fc from 'fast-check'

import { nextTurn } from '../platform/turns.ts'
import { anonymous, nothingOffered, passedRequest } from './test-support/connections-under-test.ts'
import { type QuestionStream, startQuestioningServer } from './test-support/questioning-server.ts'
import { sharedConnections } from './test-support/shared-connections.ts'

/** Tool servers of the 2025 era ask their client in the middle of a call; its answer is a request of its own. */

const perPrincipal = 8
const subject = sharedConnections({ settings: { calls: { total: 1_000, perPrincipal, perOrigin: 1_000 } } })
let servers = 0

/** Lets as many turns of the event loop pass as chance says, so that everything meets everything. */
async function pauseByChance(): Promise<void> {
  for (let turns = Math.floor(Math.random() * 6); turns > 0; turns--) await nextTurn()
}

function startServer(options: { confirmsLate?: boolean } = {}) {
  servers++
  const server = subject.opened(startQuestioningServer(pauseByChance, options))
  const service = subject.registry.put({ serviceId: `mcpservers:asking-${servers}`, url: server.url })
  return `public::${service.chain}::${service.serviceId}`
}

/** A client of one session, which opens a stream of its own for what belongs to no call unless `hasOwnStream` is false. */
async function connect(connectionId: string, sessionId: string, hasOwnStream = true) {
  const client = new Client(
    { name: 'c', version: '1' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'legacy' } },
  )
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    await pauseByChance()
    return { action: 'accept', content: { said: params.message } }
  })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://localhost/mcp/c/x'), {
      async fetch(url, init) {
        if (init?.method === 'GET' && !hasOwnStream) return new Response(null, { status: 405 })
        const request = await passedRequest(new Request(url, init))
        return subject.connections.passThrough(anonymous(sessionId), connectionId, nothingOffered, request)
      },
    }),
  )
  const call = async (streams: readonly QuestionStream[]): Promise<string[]> => {
    const { content } = await client.callTool({ name: 'ask', arguments: { streams } })
    const [block] = content
    return block?.type === 'text' ? block.text.split(' ') : []
  }
  return { call, close: () => client.close() }
}

test('no question and no answer is lost, on whichever stream it comes and however requests overtake each other', async () => {
  const connectionId = startServer()
  const stream = fc.constantFrom<QuestionStream>('call', 'session')
  const plans = fc.sample(fc.array(stream, { minLength: 1, maxLength: 4 }), 300)
  const workers = Array.from({ length: 20 }, async (_, worker) => {
    for (let streams = plans.pop(), turn = 0; streams !== undefined; streams = plans.pop(), turn++) {
      const client = await connect(connectionId, `asked-${worker}-${turn}`)
      const [one, other] = await Promise.all([client.call(streams), client.call(streams)])
      expect(new Set([...one, ...other]).size).toBe(2 * streams.length)
      await client.close()
    }
  })
  await Promise.all(workers)
}, 60_000)

test('an answer passes although calls that wait for answers take all room', async () => {
  const connectionId = startServer()
  const client = await connect(connectionId, 'full', false)
  const calls = Array.from({ length: perPrincipal }, () => client.call(['call', 'call']))
  for (const said of await Promise.all(calls)) expect(said).toHaveLength(2)
  await client.close()
}, 20_000)

test('no answer is refused while others of the same call are under way', async () => {
  const connectionId = startServer({ confirmsLate: true })
  const client = await connect(connectionId, 'late', false)
  const calls = Array.from({ length: perPrincipal }, () => client.call(['call', 'call', 'call']))
  for (const said of await Promise.all(calls)) expect(said).toHaveLength(3)
  await client.close()
}, 20_000)
