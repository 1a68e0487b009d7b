import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { Siwe } from 'ox'

import { createTestWallet } from '../../../scripts/world/test-wallet.ts'
import { type SiweMessage, readSiwe, siweText } from './siwe-message.ts'

const { address } = createTestWallet()

const messages = fc.record<SiweMessage>({
  domain: fc.constantFrom('gate.example.org', 'localhost:3000', '127.0.0.1:8080', 'a.b-c.example:65535'),
  address: fc.constant(address),
  statement: fc.stringMatching(/^[A-Za-z][A-Za-z0-9 .,]{0,60}$/),
  uri: fc.webUrl(),
  version: fc.constant('1'),
  chainId: fc.integer({ min: 1, max: 2 ** 40 }),
  nonce: fc.stringMatching(/^[A-Za-z0-9]{8,60}$/),
  issuedAt: fc.integer({ min: 0, max: 4e12 }),
  expiresAt: fc.integer({ min: 0, max: 4e12 }),
})

test('writes what ox writes (EIP-4361)', () => {
  fc.assert(
    fc.property(messages, (message) => {
      const { address: _checked, issuedAt, expiresAt, ...rest } = message
      const theirs = Siwe.createMessage({
        ...rest,
        address,
        version: '1',
        issuedAt: new Date(issuedAt),
        expirationTime: new Date(expiresAt),
      })
      expect(siweText(message)).toBe(theirs)
    }),
  )
})

test('reads what it writes', () => {
  fc.assert(
    fc.property(messages, (message) => {
      expect(readSiwe(siweText(message))).toEqual(message)
    }),
  )
})

test('writes and reads hosts of one label and IPv6 addresses, which ox refuses', () => {
  for (const domain of ['gate:3000', '[::1]:3000']) {
    const message = { ...sample(), domain, uri: `http://${domain}` }
    expect(readSiwe(siweText(message))).toEqual(message)
  }
})

test('reads nothing else: each change of a character either changes a field or makes it unreadable', () => {
  const text = siweText(sample())
  const index = fc.integer({ min: 0, max: text.length - 1 })
  fc.assert(
    fc.property(index, fc.constantFrom('', '\n', ' ', 'x', '0', '\r\n', '\u0000'), (at, inserted) => {
      const altered = text.slice(0, at) + inserted + text.slice(at + 1)
      fc.pre(altered !== text)
      const read = readSiwe(altered)
      if (read !== null) expect(siweText(read)).toBe(altered)
      expect(read).not.toEqual(sample())
    }),
  )
})

const sample = (): SiweMessage => ({
  domain: 'gate.example.org',
  address,
  statement: 'Sign in.',
  uri: 'https://gate.example.org',
  version: '1',
  chainId: 1,
  nonce: 'abcdefgh12345678',
  issuedAt: 1_767_225_600_000,
  expiresAt: 1_767_226_200_000,
})
