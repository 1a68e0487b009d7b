import { afterAll, beforeAll, expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { createCanaries } from '../support/canaries.ts'
import { commandLineOf } from '../support/command-line.ts'
import { startTestServer } from '../../scripts/world/database.ts'
import type { TestServer } from '../../scripts/world/database.ts'
import { dumpOf } from '../support/database-dump.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { reflections, startReflectingNode } from '../support/reflecting-node.ts'
import { covers } from '../support/covers.ts'

/**
 * Threats 1 and 19 for endpoints: addresses and headers of upstreams are full of secrets, everything fails that can
 * fail, and no secret stands in anything that was said or stored.
 */

const canaries = createCanaries()
const node = startReflectingNode()
const said: { source: string; text: string }[] = []

let databaseServer: TestServer
let installation: TestInstallation
let server: GatehouseProcess

/** An upstream that fails in one way and repeats what it was asked. */
function secretUpstream(by: string, way: string) {
  const canary = (place: string) => canaries.plant(`${place} of an upstream of the ${by}`)
  const at = `127.0.0.1:${way === 'refused' ? 1 : node.port}`
  const credentials = `${canary('user')}:${canary('password')}@`
  return {
    url: `${way === 'tls' ? 'https' : 'http'}://${credentials}${at}/${way}/${canary('path')}?key=${canary('query')}`,
    ws: `ws://${at}/${way}/${canary('path of a WebSocket')}`,
    headers: { 'x-tenant': canary('header') },
  }
}
const ways = {
  file: [...reflections.filter((way) => way !== 'never-answers'), 'refused', 'tls'],
  console: ['never-answers', 'status-500', 'rpc-error'],
}
const endpointOf = (by: keyof typeof ways) => ({
  name: `of-${by}`,
  chain: 'ethereum',
  upstreams: ways[by].map((way) => secretUpstream(by, way)),
})

/** Calls a procedure as an operator, and keeps what it answers, be it an error. */
async function call(name: string, work: Promise<unknown>): Promise<unknown> {
  const answer = await work.catch((error: unknown) => ({ failed: String(error), ...(error as object) }))
  said.push({ source: name, text: JSON.stringify(answer) })
  return answer
}

beforeAll(async () => {
  databaseServer = await startTestServer()
  installation = await createTestInstallation({ endpoints: [endpointOf('file')] })
  server = await installation.start({ DATABASE_URL: databaseServer.url, GATEHOUSE_LOG_LEVEL: 'debug' })
}, 60_000)
afterAll(async () => {
  await installation?.remove()
  await databaseServer?.stop()
  await node.stop()
})

test('endpoints are made, changed, refused, listed and tested', async () => {
  const { endpoints } = server.operator
  const spec = endpointOf('console')
  await call('create', endpoints.create.mutate(spec))
  const { revision } = await endpoints.details.query({ name: 'of-console' })
  const name = 'of-console'
  const moved = { keep: 'upstream-1', weight: 1, url: `http://127.0.0.1/${canaries.plant('other address')}` }
  await call('a move', endpoints.update.mutate({ name, revision: revision ?? '', upstreams: [moved] }))
  await call(
    'a change',
    endpoints.update.mutate({ name, revision: revision ?? '', credits: { eth_call: 1 } }),
  )

  for (const [field, wrong] of Object.entries({
    url: `ftp://${canaries.plant('wrong url')}`,
    ws: `http://${canaries.plant('wrong ws')}`,
    headers: { 'x-key': `\n${canaries.plant('wrong header')}` },
    weight: canaries.plant('wrong weight') as unknown as number,
  })) {
    const upstreams = [{ ...secretUpstream('console', 'refused'), [field]: wrong }]
    await call(`a wrong ${field}`, endpoints.create.mutate({ ...spec, name: 'wrong', upstreams }))
    installation.writeFile({ endpoints: [{ ...spec, name: 'wrong', upstreams }] })
    const complaint = `endpoints[0].upstreams[0].${field}`
    await waitUntil('the mistake is said', () => server.output().includes(complaint), 3_000)
  }
  const upstreams = [{ url: `http://10.0.0.1/${canaries.plant('private address')}` }]
  await call('a private address', endpoints.create.mutate({ ...spec, name: 'wrong', upstreams }))

  await call('list', endpoints.list.query())
  await call('choices', endpoints.choices.query())
  for (const by of ['file', 'console'] as const) {
    const ofOne = { name: `of-${by}` }
    await call('details', endpoints.details.query(ofOne))
    await call('prices', endpoints.prices.query(ofOne))
    expect(await call('test', endpoints.test.mutate(ofOne))).toHaveLength(ways[by].length)
  }
  await call('audit', server.operator.audit.list.query({ subjectKind: 'endpoint' }))
  const { run } = commandLineOf(installation.dataDir)
  for (const command of [['list'], ['list', '--json'], ['test', 'of-file'], ['test', 'of-file', '--json']]) {
    const { stdout, stderr } = await run(['endpoints', ...command])
    said.push({ source: command.join(' '), text: `${stdout}${stderr}` })
  }
}, 60_000)

test('the upstreams were really asked with their secrets', () => {
  const received = canaries.findIn(node.received())
  for (const by of ['file', 'console']) {
    for (const place of ['password', 'path', 'query', 'header'])
      expect(received).toContain(`${place} of an upstream of the ${by}`)
  }
})

test('no answer, no command and no line of the log holds a secret of an upstream', async () => {
  covers('threat-19')
  await server.stop()
  said.push({ source: 'the log', text: server.output() })
  expect(said.length).toBeGreaterThan(15)
  expect(
    said.flatMap(({ source, text }) => canaries.findIn(text).map((kind) => `${kind} in ${source}`)),
  ).toEqual([])
}, 30_000)

test('a stolen copy of the database holds no secret of an upstream', async () => {
  covers('threat-1')
  const { tables, content } = await dumpOf(databaseServer.url)
  expect(tables).toContain('public.endpoints')
  expect(content.includes('of-console')).toBe(true)
  expect(canaries.findIn(content)).toEqual([])
}, 30_000)
