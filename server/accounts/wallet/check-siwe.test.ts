import { expect, test } from 'bun:test'

import { type SiweRefusal, challengeLifeMs, checkSiwe, siweStatement } from './check-siwe.ts'
import type { SiweMessage } from './siwe-message.ts'

const origins = ['https://gate.example.org', 'http://localhost:3000']
const issuedAt = 1_767_225_600_000

const message: SiweMessage = {
  domain: 'gate.example.org',
  address: `0x${'12'.repeat(20)}`,
  statement: siweStatement,
  uri: 'https://gate.example.org',
  version: '1',
  chainId: 1,
  nonce: 'abcdefgh12345678',
  issuedAt,
  expiresAt: issuedAt + challengeLifeMs,
}

test('a message of ours is good from the moment it is issued until it expires', () => {
  for (const age of [-30_000, 0, 1, challengeLifeMs - 1])
    expect(checkSiwe(message, origins, issuedAt + age)).toBeNull()
  const local = { ...message, domain: 'localhost:3000', uri: 'http://localhost:3000' }
  expect(checkSiwe(local, origins, issuedAt)).toBeNull()
})

const refusals: [change: Partial<SiweMessage>, ageMs: number, expected: SiweRefusal][] = [
  [{ domain: 'evil.example.net' }, 0, 'domain'],
  [{ domain: '' }, 0, 'domain'],
  [{ domain: 'gate.example.org:443' }, 0, 'domain'],
  [{ domain: 'GATE.example.org' }, 0, 'domain'],
  [{ uri: 'https://evil.example.net' }, 0, 'uri'],
  [{ uri: '' }, 0, 'uri'],
  [{ uri: 'https://gate.example.org/' }, 0, 'uri'],
  [{ uri: 'http://localhost:3000' }, 0, 'uri'], // ours, but not the one of this domain
  [{ statement: 'Send everything to evil.example.net.' }, 0, 'statement'],
  [{ version: '2' }, 0, 'version'],
  [{}, -30_001, 'issued_in_future'],
  [{}, challengeLifeMs, 'issued_too_long_ago'],
  [{ expiresAt: issuedAt + 10 * challengeLifeMs }, 0, 'lifetime'],
  [{ expiresAt: issuedAt - 1 }, 0, 'lifetime'],
]

for (const [change, ageMs, expected] of refusals) {
  test(`${expected}: ${JSON.stringify(change)} at ${ageMs} ms`, () => {
    expect(checkSiwe({ ...message, ...change }, origins, issuedAt + ageMs)).toBe(expected)
  })
}
