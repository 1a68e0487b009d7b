// Mostly waits: for messages that are gathered for half a minute.
import { afterAll, beforeAll, expect, test } from 'bun:test'

import { Webhook } from 'standardwebhooks'

import { type AnvilChain, startAnvilChain } from '../../scripts/world/anvil-chain.ts'
import {
  type GatehouseProcess,
  type TestInstallation,
  createTestInstallation,
} from '../../scripts/world/gatehouse-process.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { quickPolicy } from '../../scripts/world/watched-world.ts'
import { commandLineOf } from '../support/command-line.ts'
import { type HealthClient, healthClient } from '../support/health-client.ts'
import { type Receivers, startReceivers } from '../support/receivers.ts'

/** A node dies while nobody looks: real nodes, a real server, and receivers of four kinds. */

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const forty = Array.from({ length: 40 }, (_, place) => `forty-${place}`)

let chain: AnvilChain
let receivers: Receivers
let installation: TestInstallation
let server: GatehouseProcess
let health: HealthClient

const service = (id: string, key: string, index: number) => ({
  id,
  name: id,
  chain: key,
  provider: `provider-${index}`,
  labels: ['told'],
  endpoint: chain.nodes[index]?.url,
  policy: { ...quickPolicy, freshMs: 20_000 },
})

/** The whole file, with every section about alerts and pages. */
function wholeFile({ url, smtp }: Receivers) {
  return {
    chains: {
      first: { family: 'evm', chainId: 31337, blockMs: 1000 },
      second: { family: 'evm', chainId: 31337, blockMs: 1000 },
    },
    services: [
      service('node-a', 'first', 0),
      service('node-b', 'first', 1),
      service('node-c', 'first', 2),
      ...forty.map((id) => service(id, 'second', 3)),
    ],
    channels: [
      { name: 'ops', type: 'webhook', url: `${url}/hook`, secret },
      { name: 'chat', type: 'slack', url: `${url}/slack` },
      { name: 'on-call', type: 'pagerduty', routingKey: 'a'.repeat(32), url: `${url}/pagerduty` },
      {
        name: 'mail',
        type: 'email',
        smtp,
        from: 'Gatehouse <gatehouse@example.com>',
        to: ['ops@example.com'],
      },
    ],
    alerts: [
      {
        name: 'node down',
        when: { decision: ['DOWN'], for: '0s' },
        services: { label: 'told' },
        channels: ['ops', 'chat', 'on-call', 'mail'],
      },
    ],
    status: [
      {
        page: 'main',
        title: 'Acme',
        groups: [{ name: 'First', services: [{ id: 'node-b', as: 'Mainnet B' }] }],
      },
    ],
    maintenance: [
      {
        name: 'disks',
        services: { id: 'node-c' },
        once: { from: Date.now() - 3_600_000, to: Date.now() + 3_600_000 },
        reason: 'new disks',
      },
    ],
  }
}

beforeAll(async () => {
  chain = await startAnvilChain(4)
  receivers = await startReceivers()
  const file = wholeFile(receivers)
  // What the tests below see was all put into the file of a server that ran.
  installation = await createTestInstallation({ chains: file.chains, services: file.services })
  server = await installation.start()
  health = healthClient(installation.url)
  await health.until({ 'node-a': 'UP', 'node-b': 'UP', 'node-c': 'UP', 'forty-0': 'UP', 'forty-39': 'UP' })
  installation.writeFile(file)
  await waitUntil('the sections are applied', async () => {
    const [channels, rules] = await Promise.all([
      server.operator.channels.list.query(),
      server.operator.alertRules.list.query(),
    ])
    return channels.length === 4 && rules.some(({ name }) => name === 'node down')
  })
})
afterAll(async () => {
  await installation?.remove()
  await receivers?.stop()
  await chain?.stop()
})

const arrived = (count: number) => () =>
  ['/hook', '/slack', '/pagerduty'].every((path) => receivers.bodies(path).length >= count) &&
  receivers.mails.length >= count

const listed = async () => (await server.operator.deliveries.list.query({})).deliveries

test('silences and planned work are made, listed and ended at the command line', async () => {
  const { answerOf, refusalOf } = commandLineOf(installation.dataDir)
  const add = 'silences add --chain second --decision DOWN --reason known --for'.split(' ')
  expect(await refusalOf(...add, 'soon')).toContain('for: expected a length of time such as 90s')
  const { id } = await answerOf<{ id: string }>(...add, '2h')
  const silence = { id, services: { chain: ['second'] }, decisions: ['DOWN'], reason: 'known' }
  expect(await answerOf<object>('silences', 'list')).toMatchObject([silence])
  expect(await answerOf('silences', 'end', id)).toEqual({ ended: id })
  expect(await answerOf<object>('silences', 'list')).toEqual([])

  const work = 'maintenance add later --from 2090-01-01T08:00:00Z --to 2090-01-01T10:00:00Z --label told'
  await answerOf(...work.split(' '))
  const planned = await answerOf<object[]>('maintenance', 'list')
  expect(planned).toContainEqual(expect.objectContaining({ name: 'later', services: { label: ['told'] } }))
  await answerOf('maintenance', 'remove', 'later')
}, 30_000)

test('a node that dies is told to each channel once', async () => {
  const diedAt = performance.now()
  await chain.nodes[1]?.stop()
  await waitUntil('all channels are told', arrived(1), 15_000)
  expect(performance.now() - diedAt).toBeLessThan(15_000)
  await health.until({ 'node-b': 'DOWN' })
  const hook = receivers.messages.find(({ path }) => path === '/hook')
  expect(() =>
    new Webhook(secret).verify(hook?.text ?? '', hook?.headers as Record<string, string>),
  ).not.toThrow()
  expect(receivers.bodies('/hook')).toMatchObject([
    {
      type: 'service.decision_changed',
      data: {
        serviceId: 'node-b',
        name: 'node-b',
        chain: 'first',
        provider: 'provider-1',
        from: 'UP',
        to: 'DOWN',
        alert: 'node down',
        status: 'firing',
      },
    },
  ])
  expect(receivers.bodies('/slack')).toMatchObject([
    { text: expect.stringContaining('node-b (first) is DOWN') },
  ])
  expect(receivers.bodies('/pagerduty')).toMatchObject([
    { event_action: 'trigger', dedup_key: expect.any(String), payload: { severity: 'critical' } },
  ])
  expect(receivers.mails[0]).toMatchObject({ to: ['ops@example.com'] })
  expect(await server.operator.alerts.firing.query()).toMatchObject([
    {
      rule: 'node down',
      subject: { kind: 'service', id: 'node-b' },
      toldTo: ['ops', 'chat', 'on-call', 'mail'],
    },
  ])
}, 60_000)

const page = async (): Promise<string> => (await fetch(`${installation.url}/status/main`)).text()
let incident = ''

test('the public page says so, with what the operator writes about it', async () => {
  await waitUntil('it is seen', async () => (await page()).includes('Mainnet B does not answer'))
  const written = await server.operator.statusPages.startIncident.mutate({
    page: 'main',
    kind: 'incident',
    title: 'Mainnet B is away',
    services: ['node-b'],
    stage: 'investigating',
    text: 'Its disk is full; we make room.',
  })
  incident = written.id
  const html = await page()
  expect(html).toContain('<bdi>Mainnet B is away</bdi>')
  expect(html).toContain('Its disk is full; we make room.')
  for (const unchosen of ['node-b', 'provider-1', '127.0.0.1']) expect(html).not.toContain(unchosen)
})

test('and when it is back, each is told once that it is', async () => {
  await chain.nodes[1]?.start()
  await health.until({ 'node-b': 'UP' })
  await waitUntil('all channels are told', arrived(2), 45_000)
  const [, resolved] = receivers.bodies('/hook')
  expect(resolved).toMatchObject({ data: { serviceId: 'node-b', to: 'UP', status: 'resolved' } })
  const [trigger, resolve] = receivers.bodies<{ dedup_key: string }>('/pagerduty')
  expect(resolve).toMatchObject({ event_action: 'resolve', dedup_key: trigger?.dedup_key })
  expect(await server.operator.alerts.firing.query()).toEqual([])
  const over = { id: incident, stage: 'resolved', text: 'There is room again.' } as const
  await server.operator.statusPages.updateIncident.mutate(over)
  expect(await page()).toContain('There is room again.')
}, 90_000)

test('a chain that loses its reference is one message, not forty, and a node that is under maintenance none', async () => {
  const before = receivers.bodies('/hook').length
  await Promise.all([chain.nodes[2]?.stop(), chain.nodes[3]?.stop()])
  await health.until({ 'node-c': 'DOWN', 'forty-0': 'DOWN', 'forty-39': 'DOWN' })
  await waitUntil('all are covered, and that of the node is held back', async () => {
    const firing = await server.operator.alerts.firing.query()
    return firing.length === 2 && firing.some(({ affected }) => affected === 40)
  })
  await waitUntil('it is told', () => receivers.bodies('/hook').length > before, 45_000)
  const told = receivers.bodies('/hook').slice(before)
  expect(told).toMatchObject([{ type: 'chain.reference_lost', data: { chain: 'second', status: 'firing' } }])
  const firing = await server.operator.alerts.firing.query()
  expect(firing.find(({ subject }) => subject.kind === 'chain')).toMatchObject({ subject: { id: 'second' } })
  expect(firing.find(({ subject }) => subject.kind === 'service')).toMatchObject({
    subject: { id: 'node-c' },
    toldTo: [],
    heldBack: { by: 'maintenance', name: 'disks', reason: 'new disks' },
  })
}, 120_000)

test('a mistake in the file changes nothing', async () => {
  installation.writeFile({ channels: [{ name: 'ops', type: 'webhook', url: 'nowhere' }] })
  await waitUntil(
    'it is refused',
    async () => (await server.operator.installation.operation.query()).file.problems.length > 0,
  )
  expect(await server.operator.channels.list.query()).toHaveLength(4)
})

test('every message was taken at its first attempt', async () => {
  await waitUntil('nothing waits', async () => (await listed()).every(({ state }) => state === 'sent'))
  const deliveries = await listed()
  expect(deliveries.length).toBe(12)
  expect(deliveries.filter(({ attempts }) => attempts !== 1)).toEqual([])
})
