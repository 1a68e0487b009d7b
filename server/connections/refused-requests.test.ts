import { describe, expect, test } from 'bun:test'

import { link, nothingOffered, toService } from './test-support/connections-under-test.ts'
import { startRawToolServer } from './test-support/raw-tool-server.ts'
import { sharedConnections } from './test-support/shared-connections.ts'

const subject = sharedConnections()

interface Refused {
  readonly era: 'modern' | 'legacy'
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown }
  readonly status?: number
}

/** Calls a tool whose server refuses with that error under the id of the request, and returns what was made of it. */
async function refusedCall({ era, error, status = 400 }: Refused) {
  const tool = { name: 'browser_session_create', inputSchema: { type: 'object' } }
  const refuse = (_name: string, id: unknown) => Response.json({ jsonrpc: '2.0', id, error }, { status })
  const server = subject.opened(startRawToolServer({ era, tools: [tool], call: refuse }))
  const serviceId = `mcpservers:refusing-${crypto.randomUUID()}`
  const service = toService(subject.registry.put({ serviceId, url: server.url }))
  const scope = { accountId: 'acc_anna', keyId: 'key_one', sessionId: serviceId }
  const outcome = await subject.connections.callTool(
    scope,
    service,
    { name: tool.name },
    nothingOffered,
    link(),
  )
  return { outcome, serviceId, calls: server.methods.filter((method) => method === 'tools/call').length }
}

describe.each(['modern', 'legacy'] as const)('a %s tool server that refuses a call by HTTP 400', (era) => {
  test.each([
    {
      code: -32_602,
      message: 'Invalid arguments for tool browser_session_create: region must be one of us, eu',
    },
    { code: 7, message: 'This session has ended' },
  ])('is called once, and its words are passed on: %j', async (error) => {
    const { outcome, serviceId, calls } = await refusedCall({ era, error })
    expect(outcome).toEqual({ outcome: 'refused', serviceId, error, elicitations: [] })
    expect(calls).toBe(1)
  })

  test('because its user has to open pages first, these come with the refusal, as far as they are sound', async () => {
    const page = { mode: 'url', url: 'https://files.example/agree', message: 'Agree', elicitationId: 'one' }
    const sound = [page, { ...page, url: 'http://files.example/%E2%80%AE', message: 'x'.repeat(500) }]
    const elicitations = [
      page,
      { ...page, url: 'http://files.example/\u202e', message: 'x'.repeat(600) },
      { ...page, url: 'javascript:alert(1)' },
      { ...page, url: 'https://bank.example@files.example/' },
      { ...page, url: `https://files.example/${'x'.repeat(2_048)}` },
      page, // one more than the gateway passes on
    ]
    const error = { code: -32_042, message: 'Agree first' }
    const { outcome } = await refusedCall({ era, error: { ...error, data: { elicitations } }, status: 200 })
    expect(outcome).toMatchObject({ outcome: 'refused', error, elicitations: sound })
    const others = [undefined, { elicitations: 'none' }, { elicitations: [null, { url: page.url }] }]
    for (const data of others)
      expect((await refusedCall({ era, error: { ...error, data } })).outcome).toMatchObject({
        elicitations: [],
      })
  })

  test('because it knows no session is called once more, in a new one', async () => {
    const error = { code: -32_000, message: 'Bad Request: No valid session ID provided' }
    expect(await refusedCall({ era, error })).toMatchObject({ outcome: { outcome: 'unreachable' }, calls: 2 })
  })
})

const slowDown = () => new Response('slow down', { status: 429, headers: { 'retry-after': '40' } })

test.each(['modern', 'legacy'] as const)(
  'how long a %s tool server that limits wants to be left alone is told',
  async (era) => {
    const tool = { name: 'limited', inputSchema: { type: 'object' } }
    const server = subject.opened(startRawToolServer({ era, tools: [tool], call: slowDown }))
    const serviceId = `mcpservers:limited-${era}`
    const service = toService(subject.registry.put({ serviceId, url: server.url }))
    const scope = { accountId: 'acc_anna', keyId: 'key_one', sessionId: serviceId }
    const call = { name: tool.name }
    expect(await subject.connections.callTool(scope, service, call, nothingOffered, link())).toEqual({
      outcome: 'unreachable',
      serviceId,
      why: 'status',
      httpStatus: 429,
      retryAfterSec: 40,
    })
  },
)
