import type { ServerResponse } from 'node:http'

import { expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { anonymous, link, nothingOffered, toService } from './test-support/connections-under-test.ts'
import { startSessionServer } from './test-support/session-server.ts'
import { sharedConnections } from './test-support/shared-connections.ts'

const subject = sharedConnections()
let servers = 0

async function sharing(onGet?: (response: ServerResponse) => void) {
  const server = subject.opened(await startSessionServer(onGet))
  servers += 1
  const service = subject.registry.put({ serviceId: `mcpservers:shared-${servers}`, url: server.url })
  const scope = anonymous(`session-shared-${servers}`)
  const call = (name: string, by = link()) =>
    subject.connections.callTool(scope, toService(service), { name, arguments: {} }, nothingOffered, by)
  const isSeen = (what: string) => waitUntil(what, () => server.seen.includes(what))
  return {
    ...server,
    call,
    isSeen,
    sessions: () => server.seen.filter((what) => what === 'initialize').length,
  }
}

const done = (name: string) => ({
  outcome: 'answered',
  result: { content: [{ type: 'text', text: `${name} is done` }] },
})

test.each([400, 401, 403, 429, 500, 503])(
  'a call that is refused with %i ends no other call of its connection',
  async (status) => {
    const { call, isSeen, release, sessions } = await sharing()
    await call('fast')
    const slow = call('slow')
    await isSeen('tools/call slow')
    const isAboutRights = status === 401 || status === 403
    expect(await call(String(status))).toMatchObject({
      outcome: isAboutRights ? 'auth_required' : 'unreachable',
    })
    expect(await call('fast')).toMatchObject(done('fast'))
    release()
    expect(await slow).toMatchObject(done('slow'))
    // What speaks of the one request costs no session; whatever may come from another server does.
    expect(sessions()).toBe([403, 429, 503].includes(status) ? 1 : 2)
  },
)

const asking = () =>
  link({ clientCapabilities: { elicitation: { form: {} } }, ask: async () => ({ action: 'decline' }) })

test('a standing stream that is cut ends no call, and is opened anew', async () => {
  const streams: ServerResponse[] = []
  const { call, isSeen, release, seen, sessions } = await sharing((stream) => {
    streams.push(stream.writeHead(200, { 'content-type': 'text/event-stream' }))
    stream.write(': open\n\n')
  })
  await call('fast', asking())
  await waitUntil('a stream', () => streams.length === 1)
  const slow = call('slow', asking())
  await isSeen('tools/call slow')
  streams[0]?.destroy()
  await waitUntil('another stream', () => streams.length === 2)
  release()
  expect(await slow).toMatchObject(done('slow'))
  expect(await call('fast', asking())).toMatchObject(done('fast'))
  expect([sessions(), seen.filter((what) => what === 'GET').length]).toEqual([1, 2])
})

test.each([401, 403, 404])(
  'a server that answers %i where others have a standing stream serves callers who can be asked',
  async (status) => {
    const { call, isSeen, sessions } = await sharing((response) => response.writeHead(status).end('no'))
    expect(await call('fast', asking())).toMatchObject(done('fast'))
    await isSeen('GET')
    expect(await call('fast', asking())).toMatchObject(done('fast'))
    expect(sessions()).toBe(1)
  },
)

test.each([
  [429, 'unreachable'],
  [503, 'busy'],
])(
  'after five attempts to connect that are answered with %i, the next one ends as %s',
  async (status, last) => {
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('no', { status }) })
    subject.opened({ stop: () => server.stop(true) })
    const service = subject.registry.put({ serviceId: `mcpservers:answers-${status}`, url: server.url.href })
    const call = (count: number) =>
      subject.connections.callTool(
        { accountId: `acc_${count}`, sessionId: 's' },
        toService(service),
        { name: 'echo' },
        nothingOffered,
        link(),
      )
    for (let count = 0; count < 5; count += 1) {
      expect(await call(count)).toMatchObject({ outcome: 'unreachable', httpStatus: status })
    }
    expect(await call(5)).toMatchObject({ outcome: last })
  },
)

test('a call that the server has taken is not sent again when its session is lost meanwhile', async () => {
  let streams = 0
  const { call, isSeen, release, seen } = await sharing((stream) => {
    streams += 1
    if (streams > 1) return void stream.writeHead(404).end('no such session')
    stream.writeHead(200, { 'content-type': 'text/event-stream' }).end('id: 1\nretry: 1\ndata: \n\n')
  })
  const slow = call('slow', asking())
  await isSeen('tools/call slow')
  expect(await slow).toMatchObject({ outcome: 'unreachable', httpStatus: 404 })
  expect(seen.filter((what) => what === 'tools/call slow')).toHaveLength(1)
  release()
  expect(await call('fast', asking())).toMatchObject(done('fast'))
})
