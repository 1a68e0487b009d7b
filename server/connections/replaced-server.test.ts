import { describe, expect, test } from 'bun:test'

import { link, nothingOffered, toService } from './test-support/connections-under-test.ts'
import { sharedConnections } from './test-support/shared-connections.ts'

const subject = sharedConnections()
const eras = ['modern', 'legacy'] as const

const answered = { outcome: 'answered', result: { content: [{ type: 'text', text: 'hello' }] } }

async function calledServer(era: (typeof eras)[number], name: string) {
  const server = await subject.startServer({ era })
  const service = subject.registry.put({ serviceId: `mcpservers:${name}`, url: server.url })
  const scope = { accountId: 'acc_anna', keyId: 'key_one', sessionId: name }
  const call = () =>
    subject.connections.callTool(
      scope,
      toService(service),
      { name: 'echo', arguments: { message: 'hello' } },
      nothingOffered,
      link(),
    )
  expect(await call()).toMatchObject(answered)
  return { server, call }
}

describe.each(eras)('a %s tool server', (before) => {
  test.each(eras)('that a %s one replaces is called without a failure', async (after) => {
    const { server, call } = await calledServer(before, `replaced-${before}-${after}`)
    server.become(after)
    expect(await call()).toMatchObject(answered)
    expect(await call()).toMatchObject(answered)
    expect(server.called).toEqual(['echo', 'echo', 'echo'])
  })
})

// What the examples of the official SDKs for TypeScript and Python answer to a session of the process before.
test.each(['Bad Request: No valid session ID provided', 'Bad Request: Server not initialized'])(
  'a restart that is told by a 400 with %j is no failure',
  async (message) => {
    const { server, call } = await calledServer('legacy', message.replaceAll(/\W/g, ''))
    const error = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null }
    server.become('legacy', Response.json(error, { status: 400 }))
    expect(await call()).toMatchObject(answered)
    expect(server.called).toEqual(['echo', 'echo'])
  },
)

test('a 400 for another reason is told, and is not tried again', async () => {
  const { server, call } = await calledServer('legacy', 'refusing')
  const error = {
    jsonrpc: '2.0',
    error: { code: -32_600, message: 'Bad Request: too many arguments' },
    id: null,
  }
  server.become('legacy', Response.json(error, { status: 400 }))
  server.forgetRequests()
  expect(await call()).toMatchObject({ outcome: 'unreachable', why: 'status', httpStatus: 400 })
  expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
})
