import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { hourMs } from '../../shared/durations.ts'
import type { LiveServices, ServiceState } from '../../shared/health-services.ts'
import { consoleClient } from '../support/console-client.ts'
import type { ConsoleClient } from '../support/console-client.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import type { SignedInClient } from '../../scripts/world/signed-in-client.ts'
import { enrolWireVerifier } from '../../scripts/world/wire-verifier.ts'
import { covers } from '../support/covers.ts'

/** What the console's screens for services and verifiers ask of a running server, by tRPC's own client over HTTP. */

const wallet = createTestWallet()
const secret = 'planted-secret'
const policy = { intervalMs: 200, freshMs: 5_000, downForMs: 200, upForMs: 200 }

let node: ReturnType<typeof Bun.serve>
let isNodeWell = true
let installation: TestInstallation
let server: GatehouseProcess
let somebody: SignedInClient
let reader: ConsoleClient
let operator: ConsoleClient

const endpointOf = (path: string) => `http://user:${secret}@127.0.0.1:${node.port}/${path}?key=${secret}`
const site = (id: string) => ({
  id,
  name: `Site ${id}`,
  family: 'http' as const,
  provider: 'acme',
  endpoint: endpointOf(id),
  headers: { 'x-api-key': secret },
  policy,
})

beforeAll(async () => {
  node = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response('', { status: isNodeWell ? 200 : 500 }),
  })
  installation = await createTestInstallation({ services: [site('of-file')] })
  server = await installation.start({ GATEHOUSE_OPERATORS: wallet.address })
  somebody = await signInAt(server.url)
  reader = consoleClient(somebody)
  operator = consoleClient(await signInAt(server.url, wallet))
}, 60_000)

afterAll(async () => {
  await installation?.remove()
  await node?.stop(true)
})

const lineOf = async (id: string) => (await reader.services.list.query()).find((line) => line.id === id)

/** Lets a stream pass until a text has, and then ends it as a lost connection does. */
function cutAfter(text: string, isCut: boolean): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder()
  let passed = ''
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk)
      passed += decoder.decode(chunk, { stream: true })
      if (isCut && passed.includes(text) && passed.endsWith('\n\n')) controller.terminate()
    },
  })
}

/** Follows the live list as the console does. */
function follow(client: ConsoleClient) {
  const states = new Map<string, ServiceState>()
  const events: LiveServices[] = []
  const errors: unknown[] = []
  const subscription = client.services.live.subscribe(undefined, {
    onData({ data }) {
      events.push(data)
      for (const state of data.services) states.set(state.id, state)
    },
    onError: (error) => void errors.push(error),
  })
  const decision = (id: string) => states.get(id)?.decision
  return { states, events, errors, decision, end: () => subscription.unsubscribe() }
}

test('whoever is signed in sees services with their numbers, and no endpoint', async () => {
  await waitUntil('it is UP', async () => (await reader.services.list.query())[0]?.decision === 'UP')
  const lines = await reader.services.list.query()
  expect(lines).toEqual([
    {
      id: 'of-file',
      name: 'Site of-file',
      family: 'http',
      chain: null,
      provider: 'acme',
      labels: [],
      objective: null,
      managedBy: 'file',
      decision: 'UP',
      decisionSince: expect.any(Number),
      liveVerifiers: 1,
      avgBlocksLatency: 0,
      avgTimeLatency: 0,
      timestamp: expect.any(Number),
      maintenance: null,
      reason: null,
      pending: null,
    },
  ])
  const page = await reader.services.details.query({ id: 'of-file' })
  expect(page).toMatchObject({ summary: { name: 'Site of-file' }, decision: 'UP', votes: [{ vote: 'OK' }] })
  expect(Object.values(page.verifierNames)).toEqual(['built-in'])
  const readHistory = () => reader.services.history.query({ id: 'of-file', range: '24h' })
  await waitUntil('it is history', async () => (await readHistory()).transitions.length > 0)
  const history = await readHistory()
  expect(history.transitions.map(({ to }) => to)).toEqual(['UP'])
  expect(JSON.stringify([lines, page, history])).not.toContain(secret)
})

test('the last day of a page of services comes in one answer, without those that are not registered', async () => {
  await waitUntil('it is stored', async () => {
    const [history] = await reader.services.recent.query({ ids: ['of-file'] })
    return history !== undefined && history.watchedMs > 0
  })
  // As many and as long as they may be: they stand in the address.
  const others = Array.from({ length: 49 }, (_, index) => `${index}`.padStart(128, 'x'))
  const histories = await reader.services.recent.query({ ids: ['of-file', 'of-file', ...others.slice(1)] })
  expect(histories).toMatchObject([{ id: 'of-file', availability: 1, day: { downMs: 0 } }])
  expect(histories[0]?.strip).toHaveLength(48)
  for (const ids of [[], [...others, 'of-file', 'more'], ['no id']])
    await expect(reader.services.recent.query({ ids })).rejects.toMatchObject({ data: { httpStatus: 422 } })
})

test('the last day by chain counts services that read none under their family, and everybody who looks gets one answer', async () => {
  const answers = await Promise.all([reader.services.byChain.query(), operator.services.byChain.query()])
  expect(answers[0]).toEqual(answers[1])
  const [{ from, chains }] = answers
  expect(from % hourMs).toBe(0)
  expect(chains.map(({ chain }) => chain)).toEqual(['http'])
  expect(chains[0]?.hours).toHaveLength(24)
  expect(chains[0]?.hours.at(-1)).toBeOneOf(['UP', 'DOWN', 'UNKNOWN']) // earlier tests break the node
})

test('nobody else sees anything, and only operators change anything', async () => {
  for (const path of [
    'services.list',
    'services.live',
    'services.byChain',
    'services.recent?input=%7B%22ids%22%3A%5B%22of-file%22%5D%7D',
    'services.chains',
    'verifiers.list',
    'verifiers.tokens',
  ])
    expect((await fetch(`${server.url}/trpc/${path}`)).status).toBeOneOf([400, 401, 403])
  const calls = [
    reader.services.settings.query({ id: 'of-file' }),
    reader.services.update.mutate({ id: 'of-file', name: 'mine' }),
    reader.services.remove.mutate({ id: 'of-file' }),
    reader.verifiers.tokens.query(),
    reader.verifiers.cancelToken.mutate({ id: '0123456789abcdef' }),
  ]
  for (const outcome of await Promise.allSettled(calls))
    expect(outcome).toMatchObject({ reason: { message: 'Only operators of this installation may do this' } })
})

test('where the registry came from, which may be a path of the server, is told to operators alone', async () => {
  expect(await operator.registry.status.query()).toMatchObject({ origin: 'tests' })
  expect(await reader.registry.status.query()).toMatchObject({ origin: '', source: null })
})

test('a form that registers knows what holds for thresholds that are left out', async () => {
  const { defaultPolicy } = operator.services
  const ofNode = await defaultPolicy.query({ chain: 'ethereum' })
  expect(ofNode).toMatchObject({ intervalMs: 10_000, freshMs: 32_000, enterSec: 60, maxRttMs: null })
  expect(await defaultPolicy.query({ chain: 'ethereum', family: 'subgraph' })).toEqual(ofNode)
  expect(await defaultPolicy.query({ family: 'http' })).toMatchObject({ enterSec: 30, maxRttMs: 3_000 })
  await expect(defaultPolicy.query({ chain: 'no-such-chain' })).rejects.toMatchObject({
    data: { httpStatus: 404 },
    message: 'chain: there is no chain of this key',
  })
  await expect(reader.services.defaultPolicy.query({ family: 'http' })).rejects.toMatchObject({
    message: 'Only operators of this installation may do this',
  })
})

describe('the live list', () => {
  test('begins with every service and goes on with what changes', async () => {
    covers('events-for-callers')
    const live = follow(reader)
    await waitUntil('the list is there', () => live.decision('of-file') === 'UP')
    const { listVersion } = live.events[0] ?? {}

    await operator.services.add.mutate(site('live'))
    await waitUntil('it is known', () => live.states.has('live'))
    expect(live.events.at(-1)?.listVersion).not.toBe(listVersion ?? '')
    await waitUntil('it is UP', () => live.decision('live') === 'UP')

    isNodeWell = false
    await waitUntil('it is DOWN', () => live.decision('live') === 'DOWN')
    isNodeWell = true
    await waitUntil('it is UP again', () => live.decision('live') === 'UP', 20_000)

    await operator.services.startMaintenance.mutate({ id: 'live', until: null, note: 'new disks' })
    await waitUntil('maintenance', () => live.states.get('live')?.maintenance?.note === 'new disks')
    await operator.services.endMaintenance.mutate({ id: 'live' })
    await waitUntil('no maintenance', () => live.states.get('live')?.maintenance === null)
    expect(live.errors).toEqual([])
    expect(JSON.stringify(live.events)).not.toContain(secret)
    live.end()
  }, 40_000)

  test('goes on where it was when the connection was lost', async () => {
    const events: string[] = []
    let connections = 0
    const flaky = consoleClient({
      async send(path, init) {
        connections++
        const response = await somebody.send(path, init)
        return new Response(
          response.body?.pipeThrough(cutAfter('"listVersion"', connections === 1)),
          response,
        )
      },
    })
    const subscription = flaky.services.live.subscribe(undefined, {
      onData: ({ data }) => void events.push(data.services.map(({ id }) => id).join()),
    })
    await waitUntil('it came again', () => events.length === 2)
    expect(connections).toBe(2)
    expect(events).toEqual(['of-file,live', '']) // nothing has changed meanwhile
    subscription.unsubscribe()
  })

  test('ends with the session', async () => {
    const here = await signInAt(server.url)
    const other = await signInAt(server.url, here.wallet)
    const live = follow(consoleClient(here))
    const stays = follow(consoleClient(other))
    await waitUntil('both follow', () => live.states.size > 0 && stays.states.size > 0)
    await consoleClient(other).accounts.endOtherSessions.mutate()
    await waitUntil('it has ended', () => live.errors.length === 1)
    expect(live.errors[0]).toMatchObject({ data: { code: 'UNAUTHORIZED' } })
    await waitUntil('the other goes on', () => stays.events.length >= 2) // it came again
    expect(stays.errors).toEqual([])
    stays.end()
  })
})

/** What the audit log has of a service, the newest first. */
async function audited(subjectId: string) {
  const { events } = await operator.audit.list.query({ subjectKind: 'service', subjectId })
  return events.map(({ action, before, after }) => ({ action, before, after }))
}

const transitionsOf = async (id: string) =>
  (await reader.services.history.query({ id, range: '24h' })).transitions.map(({ to }) => to)

describe('a service that an operator changes', () => {
  test('keeps its id, its history and what was not given', async () => {
    await operator.services.add.mutate(site('edited'))
    await waitUntil('it is UP', async () => (await lineOf('edited'))?.decision === 'UP')
    const line = await operator.services.update.mutate({
      id: 'edited',
      name: 'Renamed',
      labels: ['team:payments'],
      objective: 99.5,
      policy: { ...policy, maxRttMs: 1_000 },
    })
    expect(line).toMatchObject({ id: 'edited', name: 'Renamed', provider: 'acme', decision: 'UP' })
    expect(await operator.services.settings.query({ id: 'edited' })).toMatchObject({
      name: 'Renamed',
      family: 'http',
      chain: null,
      endpointOrigin: `http://127.0.0.1:${node.port}`,
      headerNames: ['x-api-key'],
      labels: ['team:payments'],
      objective: 99.5,
      policy: { maxRttMs: 1_000 },
      defaultPolicy: { maxRttMs: 3_000 },
    })
    // Transitions are written behind the decision.
    await waitUntil('its history is written', async () => (await transitionsOf('edited')).length > 0)
    expect(await transitionsOf('edited')).toEqual(['UP'])
  })

  test('is in the audit log, without its secrets', async () => {
    await operator.services.update.mutate({ id: 'edited', headers: { 'x-api-key': `${secret} 2` } })
    const events = await audited('edited')
    expect(events).toMatchObject([
      { action: 'service.update', after: { headers: ['x-api-key'], givenAnew: ['headers'] } },
      {
        action: 'service.update',
        before: { name: 'Site edited' },
        after: { name: 'Renamed', labels: ['team:payments'] },
      },
      { action: 'service.add', after: { name: 'Site edited' } },
    ])
    expect(JSON.stringify(events)).not.toContain(secret)
  })

  test('of the file is refused, as is one that nobody registered', async () => {
    const ofFile = operator.services.update.mutate({ id: 'of-file', name: 'mine' })
    await expect(ofFile).rejects.toThrow('this service is managed by the file: change it there')
    const unknown = operator.services.update.mutate({ id: 'nobody', name: 'mine' })
    await expect(unknown).rejects.toThrow('there is no such service')
    const moved = operator.services.update.mutate({ id: 'edited', endpoint: 'http://127.0.0.2/' })
    await expect(moved).rejects.toThrow('headers: give x-api-key again')
  })
})

test('a token that was not used yet is listed and can be cancelled', async () => {
  const { id, token } = await operator.verifiers.createToken.mutate({ label: 'for Bob' })
  expect(await operator.verifiers.tokens.query()).toEqual([
    { id, label: 'for Bob', expiresAt: expect.any(Number) },
  ])
  await operator.verifiers.cancelToken.mutate({ id })
  expect(await operator.verifiers.tokens.query()).toEqual([])
  await expect(operator.verifiers.cancelToken.mutate({ id })).rejects.toThrow('there is no such token')
  await expect(enrolWireVerifier(server.url, token, 'bob')).rejects.toThrow('401')
})

test('who made a token and which verifier came in with it is in the audit log, without the token', async () => {
  const { id, token } = await operator.verifiers.createToken.mutate({ label: 'for Eve' })
  const verifier = await enrolWireVerifier(server.url, token, 'eve')
  await expect(enrolWireVerifier(server.url, token, 'mallory')).rejects.toThrow('401')
  const { events } = await operator.audit.list.query({})
  const [enrolled, made] = events
  expect(made).toMatchObject({ action: 'verifier.token', after: { id, label: 'for Eve' } })
  expect(enrolled).toMatchObject({
    actor: 'enrolment_token',
    actorLabel: 'Enrolment token',
    action: 'verifier.enroll',
    subjectKind: 'verifier',
    subjectId: verifier.id,
    after: { name: 'eve', region: 'test', tokenId: id, tokenName: 'for Eve' },
    ip: '127.0.0.1',
    requestId: expect.any(String),
  })
  expect(JSON.stringify(events)).not.toContain(token)
})
