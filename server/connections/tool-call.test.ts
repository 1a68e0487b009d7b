import { beforeEach, describe, expect, test } from 'bun:test'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

import type { FinishedToolCall, ToolCall, ToolCallDecision } from './connections.ts'
import {
  inBag,
  link,
  nothingOffered,
  passedRequest,
  toService,
} from './test-support/connections-under-test.ts'
import { sharedConnections } from './test-support/shared-connections.ts'

type Asked = readonly [ToolCall, FinishedToolCall]

const finished: Asked[] = []
let decide: (call: ToolCall) => ToolCallDecision | Promise<ToolCallDecision>

const subject = sharedConnections({
  toolCalls: {
    admit: (call) => decide(call),
    finished: (...what) => void finished.push(what),
  },
})

beforeEach(() => {
  finished.length = 0
  decide = () => ({ admitted: true, credits: 3 })
})

let servers = 0

async function server(era: 'modern' | 'legacy') {
  const started = await subject.startServer({ era })
  servers++
  const service = subject.registry.put({ serviceId: `mcpservers:seam-${servers}`, url: started.url })
  const scope = { accountId: 'acc_anna', keyId: 'key_one', sessionId: `session-${servers}` }
  const target = toService(service)
  const call = (name: string, args: Record<string, unknown> = {}) =>
    subject.connections.callTool(scope, target, { name, arguments: args }, nothingOffered, link())
  const fetch = async (url: string | URL, init?: RequestInit) =>
    subject.connections.passThrough(
      scope,
      `public::${service.chain}::${service.serviceId}`,
      inBag('it', 'unused'),
      await passedRequest(new Request(url, init)),
    )
  return { started, service, call, fetch }
}

async function ownClient(fetch: (url: string | URL, init?: RequestInit) => Promise<Response>) {
  const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost/mcp/c/x'), { fetch }))
  return client
}

describe.each(['modern', 'legacy'] as const)('a call to a server of the %s era', (era) => {
  test('is told to the hooks through both doors, with its outcome, time and bytes', async () => {
    const { service, call, fetch } = await server(era)
    await call('echo', { message: 'hello' })
    const client = await ownClient(fetch)
    await client.callTool({ name: 'echo', arguments: { message: 'hello' } })
    await client.close()

    expect(finished.map(([{ door, connection }]) => [door, connection.kind])).toEqual([
      ['execute', 'session'],
      ['pass_through', 'public'],
    ])
    for (const [asked, outcome] of finished) {
      expect(asked).toMatchObject({
        accountId: 'acc_anna',
        keyId: 'key_one',
        service,
        tool: 'echo',
        arguments: { message: 'hello' },
      })
      expect(outcome).toMatchObject({ class: 'ok', credits: 3, deniedBy: null })
      expect(outcome.ms).toBePositive()
      expect(outcome.bytesSent).toBeGreaterThan('{"message":"hello"}'.length)
      expect(outcome.bytesReceived).toBeGreaterThan('hello'.length)
      expect(outcome.result).toMatchObject({ content: [{ type: 'text', text: 'hello' }] })
    }
  })

  test('that fails is told with the class of its failure', async () => {
    const { started, call, fetch } = await server(era)
    const client = await ownClient(fetch)
    await call('fail')
    await client.callTool({ name: 'fail', arguments: {} })
    await call('missing')
    await client.callTool({ name: 'missing', arguments: {} }).catch(() => undefined)
    await started.stop()
    await call('echo', { message: 'gone' })
    await client.callTool({ name: 'echo', arguments: { message: 'gone' } }).catch(() => undefined)
    const eachTwice = (['tool_error', 'refused', 'unreachable'] as const).flatMap(
      (one) => [one, one] as const,
    )
    expect(finished.map(([, outcome]) => outcome.class)).toEqual(eachTwice)
  })

  test('that a rule for tools that only read is asked about: by what the server says of it, until it changes', async () => {
    const { started, call, fetch } = await server(era)
    const client = await ownClient(fetch)
    const said: boolean[] = []
    decide = async ({ isReadOnly }) => {
      said.push(await isReadOnly())
      return { admitted: true, credits: 0 }
    }
    await call('echo', { message: 'hi' })
    await call('fail')
    await client.callTool({ name: 'echo', arguments: { message: 'hi' } })
    await client.callTool({ name: 'fail', arguments: {} })
    expect(said).toEqual([true, false, true, false])
    await client.close()
    await started.stop()
  })

  test('that is denied reaches no tool server, and its caller reads why', async () => {
    const { started, call, fetch } = await server(era)
    const client = await ownClient(fetch)
    decide = async () => ({ admitted: false, rule: 'r1', message: 'Rule one says no.', retryAfterSec: 7 })
    expect(await call('echo', { message: 'no' })).toEqual({
      outcome: 'denied',
      message: 'Rule one says no.',
      retryAfterSec: 7,
    })
    const result = await client.callTool({ name: 'echo', arguments: { message: 'no' } })
    const refusal = {
      error: { code: 'rate_limited', message: 'Rule one says no.' },
      retry_after_seconds: 7,
    }
    expect(result).toMatchObject({ isError: true, _meta: { 'gatehouse/refusal': refusal } })
    expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(refusal) }])
    // Clients hold it to the output schema of the tool, which has other fields.
    expect(result.structuredContent).toBeUndefined()
    await client.close()
    expect(started.called).toEqual([])
    expect(started.requests.filter(({ body }) => body.includes('tools/call'))).toEqual([])
    expect(finished.map(([, outcome]) => [outcome.class, outcome.deniedBy, outcome.credits])).toEqual([
      ['denied', 'r1', 0],
      ['denied', 'r1', 0],
    ])
  })
})

/** A call of `echo` as text, with more members in its parameters or beside them. */
const callText = (params: string, more = '') =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"message":"hi"}${params}}${more}}`

/** A call with that name and those arguments, both as JSON. */
const namedCall = (name: string, args: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${name},"arguments":${args}}}`

describe('a request that another reader may read as another call is not passed on', () => {
  test.each<[string, string, Record<string, string>]>([
    ['a method twice', callText('', ',"method":"tools/list"'), {}],
    ['a name twice', callText(',"name":"fail"'), {}],
    ['a name twice, once with an escape', callText(',"n\\u0061me":"fail"'), {}],
    ['a method in another case too', callText('', ',"Method":"tools/list"'), {}],
    ['arguments in another case too', callText(',"Arguments":{}'), {}],
    ['parameters with a long s too', callText('', ',"param\u017f":{"name":"fail"}'), {}],
    ['arguments with a long s too', callText(',"argument\\u017f":{}'), {}],
    ['a method in another case', callText('').replace('tools/call', 'Tools/Call'), {}],
    ['arguments as a text', namedCall('"echo"', '"{\\"message\\":\\"hi\\"}"'), {}],
    ['arguments in a list', namedCall('"echo"', '[{"message":"hi"}]'), {}],
    ['a name in a list', namedCall('["echo"]', '{"message":"hi"}'), {}],
    ['parameters in a list', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[{"name":"echo"}]}', {}],
    ['a batch', `[${callText('')}]`, {}],
    ['a header with another tool', callText(''), { 'mcp-name': 'fail' }],
    ['a header with another method', callText(''), { 'mcp-method': 'tools/list' }],
  ])('%s', async (_, body, headers) => {
    const { started, fetch } = await server('modern')
    const response = await fetch('http://localhost/mcp/c/x', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'mcp-protocol-version': '2026-07-28', ...headers },
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: -32_600 } })
    expect(started.requests).toEqual([])
    expect(finished).toEqual([])
  })
})

test('a call whose arguments are null is passed on as one without arguments', async () => {
  const { fetch } = await server('modern')
  const headers = { 'content-type': 'application/json', 'mcp-protocol-version': '2026-07-28' }
  const body = namedCall('"echo"', 'null')
  await fetch('http://localhost/mcp/c/x', { method: 'POST', body, headers })
  expect(finished.map(([call]) => [call.tool, call.arguments])).toEqual([['echo', {}]])
})
