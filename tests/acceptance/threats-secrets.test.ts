import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { controlSocketPath } from '../../server/platform/http/control-socket.ts'
import { createCanaries } from '../support/canaries.ts'
import { startTestServer } from '../../scripts/world/database.ts'
import type { TestServer } from '../../scripts/world/database.ts'
import { administer, dumpOf } from '../support/database-dump.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { commandOf } from '../../scripts/world/product-programs.ts'
import { startProgram } from '../../scripts/world/program.ts'
import { untilListed, writeRegistry } from '../../scripts/world/registry-folder.ts'
import {
  type OAuthToolServer,
  startOAuthToolServer,
} from '../../server/connections/test-support/oauth-tool-server.ts'
import { startReflectingNode } from '../support/reflecting-node.ts'
import { failingAddress, secretService, secretServices } from '../support/secret-services.ts'
import { useSecretsOfAgents } from '../support/secrets-of-agents.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { enrolWireVerifier } from '../../scripts/world/wire-verifier.ts'
import type { WireVerifier } from '../../scripts/world/wire-verifier.ts'
import { covers } from '../support/covers.ts'

/**
 * Threats 1, 6, 19, 45, 46 and 47 of the design: secrets are planted everywhere, everything fails that can fail, and
 * then no secret stands in anything that the installation wrote or said.
 */

const canaries = createCanaries()
const outputs: { source: string; content: string | Uint8Array }[] = []
const node = startReflectingNode()
const password = canaries.plant('password of the database')
const metricsToken = canaries.plant('metrics token')
const masterKey = randomBytes(32)
canaries.adopt('master key', masterKey.toString('base64').slice(0, 40))

let databaseServer: TestServer
let notes: OAuthToolServer
let databaseUrl: string
let installation: TestInstallation
let server: GatehouseProcess
let verifier: WireVerifier
let serviceIds: string[]

const servicesOf = (by: string) => secretServices(by, canaries, node.port)
/** One more, which is refused or ends as soon as it is there. */
const oneService = () => secretService('operator', 'http', 'refused', canaries, node.port)

function keep(source: string, content: string | Uint8Array): void {
  outputs.push({ source, content })
}

async function ask(path: string, init: RequestInit & { unix?: string } = {}): Promise<number> {
  const response = await fetch(
    init.unix === undefined ? `${server.url}${path}` : `http://localhost${path}`,
    init,
  )
  const head = `${response.status} ${response.statusText} ${JSON.stringify(response.headers.toJSON())}`
  keep(`${init.method ?? 'GET'} ${path}`, `${head}\n${await response.text()}`)
  return response.status
}

const postJson = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

const operator = (procedure: string, input: unknown): Promise<number> =>
  ask(`/trpc/${procedure}`, {
    ...postJson(input),
    unix: controlSocketPath(join(installation.dataDir, 'private')),
  })

/** The good value with each of its fields once of a type that it cannot have, holding the canary. */
const spoiled = (good: Record<string, unknown>, canary: string): Record<string, unknown>[] =>
  Object.keys(good).flatMap((field) =>
    [{ deep: [canary] }, [[canary]], [{ deep: canary }]].map((bad) => ({ ...good, [field]: bad })),
  )

async function commandLine(...args: string[]): Promise<void> {
  const program = startProgram([...commandOf('server/command-line/main.ts'), ...args], {
    GATEHOUSE_DATA_DIR: installation.dataDir,
    GATEHOUSE_METRICS_TOKEN: metricsToken,
    GATEHOUSE_MASTER_KEY: masterKey.toString('base64'),
    DATABASE_URL: databaseUrl,
  })
  await program.exited
  expect(program.output()).not.toBe('')
  keep(`command ${args.slice(0, 2).join(' ')}`, program.output())
}

beforeAll(async () => {
  databaseServer = await startTestServer()
  await administer(databaseServer.url, `CREATE ROLE gatekeeper LOGIN SUPERUSER PASSWORD '${password}'`)
  databaseUrl = databaseServer.url.replace(/\/\/[^@]*@/, `//gatekeeper:${password}@`)
  const ofFile = servicesOf('file')
  notes = await startOAuthToolServer()
  const source = writeRegistry([
    {
      slug: 'notes',
      provider: 'Notes',
      url: notes.url,
      auth: 'OAuth',
      credentialKey: 'notes',
      chains: ['base'],
    },
  ])
  const fileIssuer = { issuer: 'https://file.example', clientId: 'gatehouse' }
  const clientSecret = canaries.plant('client secret of the file')
  installation = await createTestInstallation({
    services: ofFile,
    registry: { source },
    oauthIssuers: [{ ...fileIssuer, clientSecret }],
  })
  server = await installation.start({
    DATABASE_URL: databaseUrl,
    GATEHOUSE_METRICS_TOKEN: metricsToken,
    GATEHOUSE_MASTER_KEY: masterKey.toString('base64'),
    GATEHOUSE_LOG_LEVEL: 'debug',
    GATEHOUSE_GITHUB_CLIENT_ID: 'client',
    GATEHOUSE_GITHUB_CLIENT_SECRET: canaries.plant('client secret of GitHub'),
    GATEHOUSE_CHAIN_RPC: `1=http://127.0.0.1:1/${canaries.plant('address of a chain node')}`,
  })
  const ofOperator = servicesOf('operator')
  for (const service of ofOperator) expect(await operator('services.add', service)).toBe(200)
  serviceIds = [...ofFile, ...ofOperator].map(({ id }) => id)
}, 60_000)

afterAll(async () => {
  await installation?.remove()
  await databaseServer?.stop()
  await notes?.stop()
  await node.stop()
})

test('every service is probed with its secrets, and fails', async () => {
  await waitUntil(
    'every service has a vote',
    async () => {
      const answers = await Promise.all(serviceIds.map((id) => fetch(`${server.url}/health/${id}/details`)))
      const details = await Promise.all(
        answers.map((answer) => answer.json() as Promise<{ votes: unknown[] }>),
      )
      return details.every(({ votes }) => votes.length > 0)
    },
    20_000,
  )
  const received = canaries.findIn(node.received()).filter((kind) => kind.includes('service'))
  expect(received).toContain('path of a service of the file')
  expect(received).toContain('other query of a service of the operator')
  expect(received).toContain('authorization of a service of the operator')
  expect(received).toContain('header of a service of the file')
}, 30_000)

describe('secrets are handed in where they do not belong', () => {
  test('operators hand in services, of which every field is wrong once', async () => {
    const good = { ...oneService(), rule: { method: 'GET' } }
    for (const bad of spoiled(good, canaries.plant('wrong field of a service'))) {
      expect(await operator('services.add', bad)).toBeGreaterThanOrEqual(400)
    }
    const schemes = ['ftp', 'file', 'gopher'].map(
      (scheme) => `${scheme}://x/${canaries.plant('wrong endpoint')}`,
    )
    for (const endpoint of [canaries.plant('no endpoint'), ...schemes]) {
      expect(await operator('services.add', { ...good, endpoint })).toBeGreaterThanOrEqual(400)
    }
    // Refused for its id; and for its address.
    expect(await operator('services.add', { ...good, id: serviceIds[0] })).toBe(409)
    const secret = `${canaries.plant('user')}:${canaries.plant('password')}@`
    expect(await operator('services.add', { ...good, endpoint: `http://${secret}10.0.0.1/` })).toBe(422)
  })

  test('verifiers enrol with tokens; then they, or others with their names, send nonsense', async () => {
    const { token } = await server.operator.verifiers.createToken.mutate({ label: 'used' })
    const unused = await server.operator.verifiers.createToken.mutate({ label: 'unused' })
    canaries.adopt('used token', token)
    canaries.adopt('unused token', unused.token)
    verifier = await enrolWireVerifier(server.url, token, 'wire')
    const proof = canaries.plant('proof').padEnd(86, 'A').concat('==')
    const enrolment = { token, publicKey: 'A'.repeat(43).concat('='), name: 'n', region: 'r', version: '0', families: ['http'], proof } // prettier-ignore
    for (const bad of [enrolment, ...spoiled(enrolment, canaries.plant('wrong field of an enrolment'))]) {
      expect(await ask('/v1/verifiers/enroll', postJson(bad))).toBeGreaterThanOrEqual(400)
    }
    for (const bad of spoiled({ ...verifier.batch() }, canaries.plant('wrong field of a report'))) {
      const body = JSON.stringify(bad)
      const signature = verifier.signature(body)
      canaries.adopt('signature of a report', signature.slice(3, 80))
      const headers = { 'verifier-id': verifier.id, 'verifier-signature': signature }
      expect(await ask('/v1/verifiers/me/reports', postJson(bad, headers))).toBe(422)
      expect(await ask('/v1/verifiers/me/reports', postJson({}, headers))).toBe(401)
    }
  })

  test('people sign in and make keys, and enter keys where they do not belong', async () => {
    const owner = await signInAt(server.url)
    for (const [name, value] of owner.cookies) canaries.adopt(`cookie ${name}`, value)
    const call = async (procedure: string, input: object): Promise<Response> =>
      owner.send(`/trpc/${procedure}`, postJson(input))

    const made = await Promise.all(
      ['kept', 'disabled', 'rotated', 'deleted'].map(async (name) => {
        const { data } = await owner.mutate('apiKeys.create', { name, permissions: ['token_create'] })
        const { key, value } = data as { key: { id: string }; value: string }
        canaries.adopt(`API key that is ${name}`, value.slice(4))
        return { id: key.id, value }
      }),
    )
    const [kept, disabled, rotated, deleted] = made.map(({ id }) => ({ id }))
    if (kept === undefined || disabled === undefined || rotated === undefined) throw new Error('no keys')
    await call('apiKeys.setEnabled', { ...disabled, isEnabled: false })
    const { value } = (await owner.mutate('apiKeys.rotate', { ...rotated, overlapMs: 60_000 })).data as { value: string } // prettier-ignore
    canaries.adopt('API key after a rotation', value.slice(4))
    await call('apiKeys.delete', { ...deleted })
    await call('apiKeys.reveal', kept)
    for (const shown of [...made.map((key) => key.value), value]) {
      await ask('/account/api-key', { headers: { authorization: `Bearer ${shown}` } })
      await ask('/account/api-key', { headers: { authorization: `Bearer ${shown}x` } })
    }

    const good = { name: 'k', permissions: [], allowedIps: [], allowedDomains: [], expiresAt: null }
    const pasted = { allowedIps: [value], allowedDomains: [value, `*.${value}`], permissions: [value], expiresAt: value } // prettier-ignore
    const wrong = [
      ...spoiled(good, canaries.plant('wrong field of an API key')),
      ...Object.entries(pasted).map(([field, bad]) => ({ ...good, [field]: bad })),
      { ...good, [value]: 1 },
    ]
    for (const input of wrong) {
      const response = await call('apiKeys.create', input)
      keep('apiKeys.create', await response.text())
      expect(response.status).toBe(422)
    }
    const signIn = { message: 'm', signature: '0x00' }
    for (const bad of spoiled(signIn, canaries.plant('wrong field of a sign-in'))) {
      expect(await ask('/auth/wallet/verify', postJson(bad, { origin: server.url }))).toBe(422)
    }
    for (const procedure of ['apiKeys.list', 'accounts.me', 'accounts.sessions', 'installation.info']) {
      keep(procedure, JSON.stringify(await owner.query(procedure)))
    }
    keep('installation.operation', JSON.stringify(await server.operator.installation.operation.query()))
  })

  test('agents are let in, and call tool servers with secrets and by OAuth', async () => {
    const good = { issuer: 'https://issuer.example', clientId: 'gatehouse' }
    const clientSecret = canaries.plant('client secret at an authorization server')
    expect(await operator('oauthIssuers.set', { ...good, clientSecret })).toBe(200)
    for (const bad of spoiled(good, canaries.plant('wrong field of an authorization server')))
      expect(await operator('oauthIssuers.set', bad)).toBeGreaterThanOrEqual(400)
    await untilListed(server.url, 'mcpservers:notes')
    await useSecretsOfAgents({ url: server.url, canaries, notes, keep })
    await commandLine('agents', 'list', '--json')
    await commandLine('agents', 'clients', '--json')
    await commandLine('oauth-issuers', 'list', '--json')
    await commandLine('tool-calls', '--json')
  }, 40_000)

  test('clients send secrets in paths, queries, headers and bodies', async () => {
    const canary = canaries.plant('what a client sends')
    const headers = {
      authorization: `Bearer ${canary}`,
      cookie: `session=${canary}`,
      'x-api-key': canary,
      'x-gateway-cred-github': canary,
      'x-request-id': canary,
      'x-forwarded-for': canary,
      'verifier-id': canary,
      'verifier-time': canary,
      'verifier-signature': `v1,${canary}`,
      'if-none-match': `"${canary}"`,
      'user-agent': canary,
      referer: `https://${canary}.example/`,
      origin: `https://${canary}.example`,
    }
    const paths = ['/healthz', '/readyz', '/metrics', '/metrics/services', '/openapi.json', '/reference', '/v1/verifiers/me/assignments', '/', '/trpc/services.list'] // prettier-ignore
    for (const path of [...paths, ...serviceIds.slice(0, 2).map((id) => `/health/${id}/history`)]) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        await ask(`${path}?api_key=${canary}&range=${canary}`, {
          method,
          headers,
          ...(method === 'POST' && { body: canary }),
        })
      }
    }
    for (const path of [
      `/health/${canary}%20`,
      `/health/x%00${canary}`,
      `/badge/${canary}.png`,
      `/reference/${canary}`,
    ]) {
      expect(await ask(path, { headers })).toBeOneOf([400, 404])
    }
    expect(await ask(`/health/${serviceIds[0]}/history?api_key=${canary}`)).toBe(400)
    expect(await ask(`/health/${serviceIds[0]}/history?range=${canary}`)).toBe(422)
  })
})

test('the file is changed so that the parser stumbles over secrets, and the last good one stays', async () => {
  const canary = canaries.plant('broken file')
  const mistakes = [
    `{ authorization: *${canary} }`,
    `{ authorization: "x" ${canary} }`,
    `{ authorization: ${canary}: ${canary} }`,
    `|2x ${canary}`,
    `"${canary}`,
    `["${canary}"]`,
  ]
  const complaints = () =>
    server.output().split('the file has mistakes; the previous content stays active').length
  for (const mistake of mistakes) {
    const before = complaints()
    installation.writeFile(`services:\n  - name: a\n    headers: ${mistake}\n`)
    await waitUntil('the mistake is noticed', () => complaints() > before, 5_000)
  }
  expect(server.output()).toContain('gatehouse.yaml:3: (syntax): An alias needs an anchor')
  expect(server.output()).not.toContain('the file could not be read')
}, 40_000)

test('everything that can be asked is asked', async () => {
  for (const id of serviceIds) {
    const badges = [`/badge/${id}.svg`, `/badge/${id}.json`]
    for (const path of [`/health/${id}`, `/health/${id}/details`, `/health/${id}/history`, ...badges]) {
      expect(await ask(path)).toBe(200)
    }
  }
  for (const path of ['/metrics', '/metrics/services']) {
    expect(await ask(path, { headers: { authorization: `Bearer ${metricsToken}` } })).toBe(200)
  }
  expect(await ask('/openapi.json')).toBe(200)
  keep('services.list', JSON.stringify(await server.operator.services.list.query()))
  keep('verifiers.list', JSON.stringify(await server.operator.verifiers.list.query()))
  await commandLine('services', 'list', '--json')
  await commandLine('verifiers', 'list')
  await commandLine('accounts', 'list', '--json')
  await commandLine('audit', 'list', '--json')
  await commandLine('print-config', '--json')
  const address = failingAddress(
    node.port,
    'status-500',
    `${canaries.plant('user')}:${canaries.plant('password')}@`,
    'x',
  )
  for (const id of ['by-command', 'by-command']) {
    await commandLine('services', 'add', '--id', id, '--name', 'N', '--family', 'http', '--provider', 'p', '--endpoint', address) // prettier-ignore
  }
  await commandLine('services', 'remove', 'by-command')
  const backup = join(installation.dataDir, '..', 'backup')
  await commandLine('backup', '--out', backup)
  keep('the backup', await Bun.file(backup).bytes())
}, 40_000)

test('a stolen copy of the database holds no secret, also none of an API key or a session', async () => {
  covers('threat-1')
  const { tables, content } = await dumpOf(databaseUrl)
  expect(tables).toContain('public.services')
  expect(content.includes('operator-http')).toBe(true)
  expect(content.includes(verifier.id)).toBe(true)
  for (const table of ['api_keys', 'web_sessions', 'shared_secrets', 'agent_tokens', 'oauth_connections'])
    expect(tables).toContain(`public.${table}`)
  expect(canaries.findIn(content)).toEqual([])
})

const isDatabaseMissed = async (): Promise<boolean> =>
  (await (await fetch(`${installation.url}/readyz`)).text()).includes('"degraded"')

test('no secret was said, logged or saved elsewhere, while the database goes and at the end', async () => {
  covers('threat-6', 'threat-19', 'threat-45', 'threat-46', 'threat-47')
  await databaseServer.stop()
  await waitUntil('the database is missed', isDatabaseMissed, 15_000)
  await ask('/readyz')
  await ask(`/health/${serviceIds[0]}/history`)
  await operator('services.add', oneService())
  await server.stop()
  keep('the log', server.output())

  const log = server.output()
  expect(log.includes('"msg":"request refused"')).toBe(true)
  expect(log.length).toBeGreaterThan(10_000)
  const found = outputs.flatMap(({ source, content }) =>
    canaries.findIn(content).map((kind) => `${kind} in ${source}`),
  )
  expect(found).toEqual([])
})

test('no answer tells of the code or of a statement', () => {
  covers('threat-47')
  const telling = /\.ts:\d+|node_modules|\bstack\b|SELECT .* FROM|INSERT INTO|postgres:/
  const answers = outputs.filter(({ source }) => source.includes(' /') && !source.includes('/reference'))
  expect(answers.length).toBeGreaterThan(100)
  expect(
    answers.flatMap(({ source, content }) => telling.exec(String(content))?.[0].concat(' in ', source) ?? []),
  ).toEqual([])
}, 40_000)
