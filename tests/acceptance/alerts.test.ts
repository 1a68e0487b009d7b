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
  endpoint: chain.nodes[index]?.url,
  policy: { ...quickPolicy, freshMs: 20_000 },
})

beforeAll(async () => {
  chain = await startAnvilChain(4)
  receivers = await startReceivers()
  const { url, smtp } = receivers
  const file = {
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
        channels: ['ops', 'chat', 'on-call', 'mail'],
      },
    ],
    status: [{ page: 'main', title: 'Acme', groups: [{ name: 'First', services: [{ id: 'node-b' }] }] }],
  }
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

test('a node that dies is told to each channel once', async () => {
  await chain.nodes[1]?.stop()
  await health.until({ 'node-b': 'DOWN' })
  await waitUntil('all channels are told', arrived(1), 15_000)
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

test('and when it is back, each is told once that it is', async () => {
  await chain.nodes[1]?.start()
  await health.until({ 'node-b': 'UP' })
  await waitUntil('all channels are told', arrived(2), 45_000)
  const [, resolved] = receivers.bodies('/hook')
  expect(resolved).toMatchObject({ data: { serviceId: 'node-b', to: 'UP', status: 'resolved' } })
  const [trigger, resolve] = receivers.bodies<{ dedup_key: string }>('/pagerduty')
  expect(resolve).toMatchObject({ event_action: 'resolve', dedup_key: trigger?.dedup_key })
  expect(await server.operator.alerts.firing.query()).toEqual([])
}, 90_000)

test('a chain that loses its reference is one message, not forty', async () => {
  const before = receivers.bodies('/hook').length
  await chain.nodes[3]?.stop()
  await health.until({ 'forty-0': 'DOWN', 'forty-39': 'DOWN' })
  await waitUntil('all are covered', async () => {
    const firing = await server.operator.alerts.firing.query()
    return firing.some(({ affected }) => affected === 40)
  })
  await waitUntil('it is told', () => receivers.bodies('/hook').length > before, 45_000)
  const told = receivers.bodies('/hook').slice(before)
  expect(told).toMatchObject([{ type: 'chain.reference_lost', data: { chain: 'second', status: 'firing' } }])
  expect(await server.operator.alerts.firing.query()).toMatchObject([
    { subject: { kind: 'chain', id: 'second' } },
  ])
}, 120_000)

test('a page of the file stands, and a mistake in the file changes nothing', async () => {
  await waitUntil('the page stands', async () => (await fetch(`${installation.url}/status/main`)).ok)
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
