import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'

import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'

/** Somebody writes a verifier in another language: only what /openapi.json says is used here, and no code of ours. */

interface Operation {
  readonly description: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[]
  readonly requestBody: { readonly content: { readonly 'application/json': { readonly schema: object } } }
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>
}

const headersOf = ({ parameters = [] }: Operation): string[] =>
  parameters.map((parameter) => `${parameter.in} ${parameter.name} ${parameter.required}`)

let installation: TestInstallation
let server: GatehouseProcess
let enroll: Operation
let assignments: Operation
let report: Operation

beforeAll(async () => {
  installation = await createTestInstallation({
    chains: { testnet: { family: 'evm', chainId: 31337, blockMs: 1000 } },
    services: [
      { id: 'node', name: 'Node', chain: 'testnet', provider: 'acme', endpoint: 'http://127.0.0.1:9/' },
    ],
    verifiers: { builtIn: false },
  })
  server = await installation.start()
  const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<'get' | 'post', Operation>>
  }
  enroll = paths['/v1/verifiers/enroll']!.post
  assignments = paths['/v1/verifiers/me/assignments']!.get
  report = paths['/v1/verifiers/me/reports']!.post
}, 60_000)
afterAll(() => installation?.remove())

test('the document names the headers, the body, and what is signed', () => {
  expect(headersOf(report)).toEqual(['header verifier-id true', 'header verifier-signature true'])
  expect(headersOf(assignments)).toEqual([
    'header verifier-id true',
    'header verifier-signature true',
    'header verifier-time true',
    'header if-none-match false',
  ])
  expect(enroll.description).toContain(
    'verifier-enroll-v1, a line feed, the token, a line feed, and publicKey',
  )
  expect(assignments.description).toContain(
    'health-assignments-v1, a line feed, verifier-id, a line feed, and verifier-time',
  )
  expect(report.description).toContain(
    'health-report-v1, a line feed, and the SHA-256 in lowercase hexadecimal',
  )
  expect(report.requestBody.content['application/json'].schema).toMatchObject({
    required: ['v', 'verifierId', 'seq', 'sentAtMs', 'isolated', 'backfill', 'services', 'rounds'],
  })
  expect(assignments.responses).toHaveProperty('304')
  expect(assignments.responses['400']?.headers).toHaveProperty('server-time-ms')
  expect(report.responses['409']?.headers).toHaveProperty('verifier-last-seq')
})

test('what it says is enough: a verifier enrols, is told what to probe, reports, and is told what says nothing', async () => {
  const { token } = await server.operator.verifiers.createToken.mutate({ label: 'own' })
  const { privateKey, publicKey: pair } = generateKeyPairSync('ed25519')
  const publicKey = Buffer.from(String(pair.export({ format: 'jwk' }).x), 'base64url').toString('base64')
  const signed = (text: string) => sign(null, Buffer.from(text), privateKey).toString('base64')
  const json = { 'content-type': 'application/json' }

  const proof = signed(`verifier-enroll-v1\n${token}\n${publicKey}`)
  const described = { name: 'own', region: 'eu', version: '1', families: ['evm'] }
  const enrolled = await fetch(`${server.url}/v1/verifiers/enroll`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ token, publicKey, proof, ...described }),
  })
  const { verifierId } = (await enrolled.json()) as { verifierId: string }

  const time = String(Date.now())
  const asked = await fetch(`${server.url}/v1/verifiers/me/assignments`, {
    headers: {
      'verifier-id': verifierId,
      'verifier-time': time,
      'verifier-signature': `v1,${signed(`health-assignments-v1\n${verifierId}\n${time}`)}`,
    },
  })
  const { targets } = (await asked.json()) as { targets: { serviceId: string; chain: string }[] }
  expect(targets.map(({ serviceId, chain }) => [serviceId, chain])).toEqual([['node', 'testnet']])

  const now = Date.now()
  const obs = [0, 1].map((index) => [index, 1, null, 100, Math.floor(now / 1000), null, 5, 0])
  const body = JSON.stringify({
    v: 1,
    verifierId,
    seq: now * 1000,
    sentAtMs: now,
    isolated: false,
    backfill: false,
    services: ['node', 'a-typo'],
    rounds: [{ chain: 'testnet', ageMs: 10, spreadMs: 0, obs }],
  })
  const hash = createHash('sha256').update(body).digest('hex')
  const reported = await fetch(`${server.url}/v1/verifiers/me/reports`, {
    method: 'POST',
    headers: {
      ...json,
      'verifier-id': verifierId,
      'verifier-signature': `v1,${signed(`health-report-v1\n${hash}`)}`,
    },
    body,
  })
  expect(await reported.json()).toMatchObject({ ackSeq: now * 1000, duplicate: false, ignored: 1 })
})
