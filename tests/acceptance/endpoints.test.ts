import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { startAnvil } from '../../scripts/world/anvil.ts'
import type { Anvil } from '../../scripts/world/anvil.ts'
import { findFreePort } from '../../scripts/world/free-port.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { commandLineOf } from '../support/command-line.ts'
import type { CommandLine } from '../support/command-line.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'

/** Endpoints in the declarative file, in the console's procedures and at the command line of a real server. */

const soonMs = 2_000
const chains = { testnet: { name: 'Test network', family: 'evm', chainId: 31337, blockMs: 1_000 } }

let anvil: Anvil
let deadPort: number
let installation: TestInstallation
let server: GatehouseProcess
let commands: CommandLine

const fileWith = (more: object = {}) => ({
  chains,
  services: [
    {
      id: 'node-a',
      name: 'Node A',
      chain: 'testnet',
      provider: 'acme',
      endpoint: anvil.url,
      policy: { intervalMs: 1_000 },
    },
    { id: 'site', name: 'Site', family: 'http', provider: 'acme', endpoint: anvil.url },
  ],
  endpoints: [
    {
      name: 'testnet',
      chain: 'testnet',
      upstreams: [{ service: 'node-a' }, { url: `http://127.0.0.1:${deadPort}`, weight: 2 }],
      methods: { deny: ['debug_*', 'personal_*'] },
    },
  ],
  queryKeyTypes: ['freeRPC', 'growthRPC', 'dedicatedRPC'],
  creditPrices: { default: 20, eth_chainId: 1, eth_call: 26 },
  queryKeyDefaults: { rateLimit: 100, rateLimitPeriod: 'minute' },
  ...more,
})

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 31337, timestamp: Math.floor(Date.now() / 1000), blocks: 'on-demand' })
  deadPort = await findFreePort()
  installation = await createTestInstallation(fileWith())
  server = await installation.start()
  commands = commandLineOf(installation.dataDir)
}, 60_000)
afterAll(async () => {
  await installation?.remove()
  await anvil?.stop()
})

const endpoints = () => server.operator.endpoints
const names = async () => (await endpoints().list.query()).map(({ name }) => name)
const isSaid = (text: string) =>
  waitUntil(`the log says ${text}`, () => server.output().includes(text), soonMs)

describe('the documented sections of the file', () => {
  test('are active: an endpoint with its upstreams and what calls cost', async () => {
    const [line] = await endpoints().list.query()
    expect(line).toMatchObject({
      name: 'testnet',
      chain: { key: 'testnet', name: 'Test network' },
      family: 'evm',
      managedBy: 'file',
      url: `${server.url}/rpc/testnet/{key}`,
      problem: null,
      upstreams: [
        { id: 'node-a', serviceId: 'node-a', host: new URL(anvil.url).host, weight: 1 },
        { id: 'upstream-2', serviceId: null, host: `127.0.0.1:${deadPort}`, weight: 2, decision: null },
      ],
    })
    expect(await endpoints().prices.query({ name: 'testnet' })).toMatchObject({
      methods: [
        { method: 'eth_call', credits: 26, setBy: 'installation' },
        { method: 'eth_chainId', credits: 1, setBy: 'installation' },
      ],
      otherMethods: { credits: 20, setBy: 'installation' },
    })
  })

  test('are what members choose from, who see no upstream', async () => {
    const member = await signInAt(server.url)
    expect((await member.query('endpoints.choices')).data).toEqual({
      endpoints: [
        {
          name: 'testnet',
          chain: { key: 'testnet', name: 'Test network' },
          family: 'evm',
          url: `${server.url}/rpc/testnet/{key}`,
          webSocketUrl: `${server.url.replace('http', 'ws')}/rpc/testnet/{key}`,
          health: { upstreams: 2, down: 0, late: 0 },
        },
      ],
      keyTypes: ['freeRPC', 'growthRPC', 'dedicatedRPC'],
      defaultLimits: { rate: { units: 100, period: 'minute' }, credits: null },
    })
    for (const procedure of ['list', 'details']) {
      expect((await member.query(`endpoints.${procedure}`)).status).toBe(403)
    }
    for (const procedure of ['create', 'update', 'remove', 'test']) {
      expect((await member.mutate(`endpoints.${procedure}`, {})).status).toBe(403)
    }
  })

  test('a health decision is shown beside the upstream that it steers', async () => {
    await waitUntil('the node is judged', async () => {
      const [line] = await endpoints().list.query()
      return line?.upstreams[0]?.decision === 'UP'
    })
  }, 15_000)
})

test('mistakes of form and of meaning name line and field, and change nothing', async () => {
  installation.writeFile(`endpoints:
  - name: Testnet
    chain: testnet
    upstreams:
      - weight: 1
      - { url: "http://127.0.0.1", weight: 0.5 }
      - { url: "http://127.0.0.1", headers: { Host: x } }
    methods: { deny: ["*_call"] }
    credits: { eth_call: -1 }
queryKeyTypes: [a, b, a]
creditPrices: { eth_call: 1.5 }
queryKeyDefaults: { rateLimit: 5 }
`)
  for (const problem of [
    ':2: endpoints[0].name: expected lower-case letters, digits and inner hyphens',
    ':5: endpoints[0].upstreams[0]: expected either service or url',
    ':6: endpoints[0].upstreams[1].weight: expected a whole number',
    ':7: endpoints[0].upstreams[2].headers.Host: ',
    ':8: endpoints[0].methods.deny[0]: expected a method such as eth_call, a beginning such as debug_*, or a path such as GET /eth/v1/node/*',
    ':9: endpoints[0].credits.eth_call: expected a number of at least 0',
    ':10: queryKeyTypes: expected no type twice',
    ':11: creditPrices.eth_call: expected a whole number',
    ':12: queryKeyDefaults.rateLimit: expected rateLimit together with rateLimitPeriod, or neither of them',
  ])
    await isSaid(`gatehouse.yaml${problem}`)

  const one = { chain: 'testnet', upstreams: [{ url: anvil.url }] }
  installation.writeFile(
    fileWith({
      endpoints: [
        { ...one, name: 'a', chain: 'nowhere' },
        { ...one, name: 'b', upstreams: [{ service: 'node-z' }, { service: 'site' }] },
        { ...one, name: 'c', upstreams: [{ url: 'http://10.0.0.1', ws: 'ws://10.0.0.1' }] },
        { ...one, name: 'd' },
        { ...one, name: 'd' },
      ],
    }),
  )
  for (const problem of [
    'endpoints[0].chain: unknown chain \\"nowhere\\"',
    'endpoints[1].upstreams[0].service: unknown service \\"node-z\\"; register it or add it under services:',
    'endpoints[1].upstreams[1].service: \\"site\\" is of family http, and not of evm',
    'endpoints[2].upstreams[0].url: a private address; an operator can allow it with GATEHOUSE_ALLOW_PRIVATE',
    'endpoints[2].upstreams[0].ws: a private address',
    'endpoints[4].name: used twice in this file',
  ])
    await isSaid(problem)
  expect(server.output()).toMatch(/gatehouse\.yaml:\d+: endpoints\[4\]\.name/)
  expect(await names()).toEqual(['testnet'])
}, 15_000)

describe('operators', () => {
  const own = { name: 'mine', chain: 'testnet', upstreams: [{ service: 'registered' }] }

  test('make endpoints, change and remove them, and the audit log tells', async () => {
    installation.writeFile(fileWith())
    const { operator } = server
    await operator.services.add.mutate({
      id: 'registered',
      name: 'Registered',
      chain: 'testnet',
      provider: 'acme',
      endpoint: anvil.url,
    })
    const made = await endpoints().create.mutate(own)
    const changed = await endpoints().update.mutate({
      name: 'mine',
      revision: made.revision ?? '',
      upstreams: [{ keep: 'registered', weight: 4, tier: 5, budget: { requests: 1_000, per: 'month' } }],
      credits: { eth_call: 2 },
      settings: { totalMs: 4_000, cache: 'off', byMethod: {} },
    })
    expect(changed).toMatchObject({ upstreams: [{ id: 'registered', weight: 4 }], credits: { eth_call: 2 } })
    const { events } = await operator.audit.list.query({ subjectKind: 'endpoint' })
    expect(events.map(({ action, subjectId, actor }) => [action, subjectId, actor])).toEqual([
      ['endpoint.update', 'mine', 'cli'],
      ['endpoint.create', 'mine', 'cli'],
    ])
    expect(events[0]).toMatchObject({
      before: { credits: {}, settings: { byMethod: {} } },
      after: {
        upstreams: [{ weight: 4, tier: 5, budget: { requests: 1_000, per: 'month' } }],
        credits: { eth_call: 2 },
        settings: { totalMs: 4_000, cache: 'off' },
      },
    })
    await endpoints().create.mutate({ ...own, name: 'gone' })
    await endpoints().remove.mutate({ name: 'gone' })
    expect(await names()).toEqual(['mine', 'testnet'])
  })

  test('are told which field is wrong, for a form', async () => {
    const refused = endpoints().create.mutate({ ...own, name: 'other', upstreams: [{ service: 'gone' }] })
    await expect(refused).rejects.toMatchObject({
      data: { fault: 'invalid_request', fields: [{ path: ['upstreams', 0, 'service'] }] },
    })
  })

  test('and a file may use a service that an operator registered, over a restart', async () => {
    const { endpoints: ofFile } = fileWith()
    installation.writeFile(fileWith({ endpoints: [...ofFile, { ...own, name: 'more' }] }))
    await waitUntil('the file is active', async () => (await names()).includes('more'), soonMs)
    expect(await server.stop()).toBe(0)
    server = await installation.start()
    expect(await names()).toEqual(['mine', 'more', 'testnet'])
    const refused = server.operator.services.remove.mutate({ id: 'registered' })
    await expect(refused).rejects.toThrow('the endpoints "mine", "more" send calls to this service')
  }, 30_000)
})

describe('the command line', () => {
  test('lists endpoints with their upstreams', async () => {
    const { stdout, exitCode } = await commands.run(['endpoints', 'list'])
    expect(exitCode).toBe(0)
    const cells = stdout.split('\n').map((line) => line.split(/ {2,}/))
    expect(cells[0]).toEqual(['NAME', 'CHAIN', 'UPSTREAM', 'HOST', 'DECISION', 'MANAGED BY'])
    expect(cells[1]?.slice(0, 3)).toEqual(['mine', 'testnet', 'registered'])
    expect(stdout).toContain('not monitored')
    expect(await commands.answerOf<unknown[]>('endpoints', 'list')).toHaveLength(3)
  })

  test('tests the upstreams of one, and fails when one fails', async () => {
    const well = await commands.run(['endpoints', 'test', 'mine'])
    expect([well.exitCode, well.stderr]).toEqual([0, ''])
    expect(well.stdout).toMatch(/registered +ok +[\d.]+/)
    const { exitCode, stdout, stderr } = await commands.run(['endpoints', 'test', 'testnet'])
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/upstream-2 +it cannot be reached; is it running\? +-/)
    expect(stderr).toBe('gatehouse: 1 of 2 upstreams of testnet failed\n')
    expect(await commands.refusalOf('endpoints', 'test', 'nowhere')).toContain('there is no such endpoint')
  })
})
