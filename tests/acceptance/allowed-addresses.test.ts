import { afterAll, beforeAll, expect, test } from 'bun:test'

import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { type CommandLine, commandLineOf } from '../support/command-line.ts'
import { healthClient } from '../support/health-client.ts'

/** A private address is refused, allowed by an operator while the server runs, reached, revoked, and refused again. */

let installation: TestInstallation
let server: GatehouseProcess
let commandLine: CommandLine
const wallet = createTestWallet()
const upstream = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('well') })
const address = `http://127.0.0.1:${upstream.port}/?key=secret`
const environment = { GATEHOUSE_ALLOW_PRIVATE: '10.9.0.0/16', GATEHOUSE_OPERATORS: wallet.address }
const policy = { intervalMs: 500, timeoutMs: 400, freshMs: 4_000, downForMs: 500, upForMs: 500 }
const service = {
  id: 'web',
  name: 'Web',
  family: 'http',
  provider: 'acme',
  endpoint: address,
  policy,
} as const

beforeAll(async () => {
  installation = await createTestInstallation({})
  server = await installation.start(environment)
  commandLine = commandLineOf(installation.dataDir)
})
afterAll(async () => {
  await upstream.stop(true)
  await installation.remove()
})

const add = async () => (await signInAt(server.url, wallet)).mutate('services.add', service)

test('a service at a private address is refused with the host that can be allowed', async () => {
  const refused = await add()
  expect(refused.status).toBe(422)
  expect(refused.error).toMatchObject({
    data: { fields: [{ path: ['endpoint'], privateHost: '127.0.0.1' }] },
  })
  expect(JSON.stringify(refused.error)).toContain('GATEHOUSE_ALLOW_PRIVATE=127.0.0.1/32')
  const atCloud = await (
    await signInAt(server.url, wallet)
  ).mutate('services.add', { ...service, endpoint: 'http://169.254.169.254/' })
  expect(atCloud.status).toBe(422)
  expect(JSON.stringify(atCloud.error)).not.toContain('privateHost')
})

test('allowed at the command line, it is registered and probed, until the address is revoked', async () => {
  expect(await commandLine.answerOf('addresses', 'allow', address)).toEqual({
    allowed: ['127.0.0.1'],
    already: [],
    propagated: true,
  })
  expect((await add()).status).toBe(200)
  await healthClient(server.url).until({ web: 'UP' }, 20_000)
  const listed = await commandLine.run(['addresses', 'list'])
  expect(listed.stdout).toMatch(/^127\.0\.0\.1 +Command line +/m)
  expect(listed.stdout).toMatch(/^10\.9\.0\.0\/16 +GATEHOUSE_ALLOW_PRIVATE/m)
  expect(await commandLine.answerOf('addresses', 'revoke', '127.0.0.1')).toEqual({
    revoked: '127.0.0.1',
    propagated: true,
  })
  await healthClient(server.url).until({ web: 'DOWN' }, 20_000)
  expect(await commandLine.refusalOf('addresses', 'revoke', '127.0.0.1')).toContain(
    'No operator allowed this address',
  )
})

test('a server that starts knows what is allowed before it reads its file', async () => {
  await commandLine.answerOf('addresses', 'allow', '127.0.0.1')
  await server.stop()
  installation.writeFile({ services: [{ ...service, id: 'of-file' }] })
  server = await installation.start(environment)
  await healthClient(server.url).until({ web: 'UP', 'of-file': 'UP' }, 20_000)
})

test('what a cloud tells its machines is allowed by nobody here, and nothing by those who are no operators', async () => {
  expect(await commandLine.refusalOf('addresses', 'allow', 'http://169.254.169.254/')).toContain(
    '169.254.169.254 cannot be allowed here',
  )
  const member = await signInAt(server.url)
  for (const [procedure, input] of [
    ['allow', { address: '10.0.0.5' }],
    ['revoke', { address: '127.0.0.1' }],
  ] as const)
    expect((await member.mutate(`allowedAddresses.${procedure}`, input)).status).toBe(403)
  expect((await member.query('allowedAddresses.list')).status).toBe(403)
})
