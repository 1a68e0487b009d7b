import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SignJWT, exportJWK, generateKeyPair } from 'jose'

import { type TestDatabase, testDatabase } from '../../../scripts/world/database.ts'
import { type AgentNode, type TokenReply, agentNode, codeForm, origin } from '../test-support/agent-node.ts'
import { startClientSite } from '../test-support/client-site.ts'

const keys = await generateKeyPair('ES256')
const otherKeys = await generateKeyPair('ES256')
const site = startClientSite()
const { documents, asked, at, documentAt, serve } = site

let own: TestDatabase
let node: AgentNode

beforeAll(async () => {
  own = await testDatabase()
  node = await agentNode(own.database, site.trusting)
})

afterAll(async () => {
  await node.stop()
  await own.drop()
  await site.stop()
})

const inSec = (sec: number): number => Math.floor(Date.now() / 1_000) + sec

const proof = (assertion: string) => ({
  client_assertion: assertion,
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
})

const algorithm = { alg: 'ES256', kid: 'k1' }

async function proven(methods?: readonly string[]) {
  const path = `/proven-${methods?.join('-') ?? 'only'}.json`
  documents.set('/jwks.json', async () =>
    Response.json({ keys: [{ ...(await exportJWK(keys.publicKey)), ...algorithm }] }),
  )
  const over = { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: at('/jwks.json') }
  const id = serve(
    path,
    documentAt(path, { ...over, ...(methods && { token_endpoint_auth_methods_supported: methods }) }),
  )
  const sign = (claims: Record<string, unknown> = {}, { privateKey } = keys, kid = algorithm.kid) =>
    new SignJWT({ iss: id, sub: id, aud: origin, jti: crypto.randomUUID(), exp: inSec(60), ...claims })
      .setProtectedHeader({ ...algorithm, kid })
      .sign(privateKey)
  return { id, sign }
}

describe('a client that has keys', () => {
  test('proves itself with them, once with each assertion; a bad proof does not use the code up', async () => {
    const { id, sign } = await proven()
    const form = await codeForm(node, id)
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify({ iss: id, sub: id, aud: origin, jti: 'n', exp: inSec(60) })).toString('base64url')}.`
    const bad: Record<string, string>[] = [
      {},
      { client_secret: 'x' },
      proof('x.y.z'),
      proof(unsigned),
      proof(await sign({}, otherKeys)),
      proof(await sign({ sub: 'https://agent.example/other' })),
      proof(await sign({ aud: 'https://elsewhere.example' })),
      proof(await sign({ exp: 1 })),
      proof(await sign({ exp: inSec(7_200) })),
      proof(await sign({ jti: undefined })),
      { ...proof(await sign()), client_assertion_type: 'x' },
    ]
    for (const fields of bad) {
      expect(await node.token({ ...form, ...fields })).toMatchObject({ status: 401, error: 'invalid_client' })
    }
    const good = proof(await sign())
    const { status, refresh_token: refreshToken } = await node.token({ ...form, ...good })
    expect(status).toBe(200)
    const again = { grant_type: 'refresh_token', client_id: id, refresh_token: refreshToken }
    expect((await node.token({ ...again, ...good })).status).toBe(401)
    expect(
      (await node.token({ ...again, ...proof(await sign({ aud: `${origin}/oauth/token` })) })).status,
    ).toBe(200)
  })

  test('may leave the proof out only where its document allows that; one that is shown is verified all the same', async () => {
    const { id, sign } = await proven(['none', 'private_key_jwt'])
    const form = await codeForm(node, id)
    expect((await node.token({ ...form, ...proof(await sign({}, otherKeys)) })).status).toBe(401)
    expect((await node.token(form)).status).toBe(200)
  })
})

const keysAway = () => new Response(null, { status: 503 })

test('a client whose keys cannot be read goes on with those that were read, or is told to come again', async () => {
  let nowMs = 0
  const clock = { now: Date.now, monotonic: () => nowMs }
  const patient = await agentNode(own.database, { ...site.trusting, processClock: clock })
  const { id, sign } = await proven()
  const keysThere = documents.get('/jwks.json')
  if (keysThere === undefined) throw new Error('there are no keys')
  let form: Record<string, string> = await codeForm(patient, id)
  const ask = async (kid?: string) => {
    const signed = proof(await sign({}, keys, kid))
    const answer = await patient.form('/oauth/token', { ...form, ...signed })
    const { error, refresh_token: refreshToken } = (await answer.json()) as TokenReply
    if (answer.ok) form = { grant_type: 'refresh_token', client_id: id, refresh_token: refreshToken }
    return [answer.status, error ?? null, answer.headers.get('retry-after')]
  }
  const granted = [200, null, null]
  const later = [503, 'temporarily_unavailable', '30']

  documents.set('/jwks.json', keysAway)
  const before = asked.length
  expect([await ask(), await ask(), asked.length - before]).toEqual([later, later, 1])
  documents.set('/jwks.json', keysThere)
  nowMs += 30_000
  expect(await ask()).toEqual(granted)

  documents.set('/jwks.json', keysAway)
  nowMs += 300_000
  expect([await ask(), await ask('k2')]).toEqual([granted, later]) // the second may be among those that were not read
  documents.set('/jwks.json', keysThere)
  nowMs += 30_000
  expect([await ask(), await ask('k2')]).toEqual([granted, [401, 'invalid_client', null]])

  documents.set('/jwks.json', keysAway)
  nowMs += 86_400_001
  expect(await ask()).toEqual(later)
  await patient.stop()
})
