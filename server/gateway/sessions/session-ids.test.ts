import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { randomBytes } from 'node:crypto'

import { type ClientTraits, clientByte, clientFromByte, protocolVersions, traitsOf } from './client-traits.ts'
import { createSealedIds, randomIds } from './session-ids.ts'
import { covers } from '../../../tests/support/covers.ts'

const secret = randomBytes(32)
const home = '00112233445566ff'
const names = createSealedIds(secret, home)
const traits: ClientTraits = { protocolVersion: '2025-06-18', capabilities: { sampling: {}, roots: {} } }
const named = { kind: 'streamable', openedAt: 1_795_300_000_123, client: traits } as const

describe('the id of a session', () => {
  test('says to every process of the installation whose it is, and what', () => {
    const id = names.mint('key_1', named)
    expect(createSealedIds(secret, 'ffffffffffffffff').read('key_1', id)).toEqual({
      ...named,
      ownerProcess: home,
    })
    expect(id).toMatch(/^gws_[A-Za-z0-9_-]{80,100}$/)
    expect(Buffer.from(id.slice(4), 'base64url').toString('hex')).not.toContain(home)
  })

  test('says nothing to another principal, nor in another installation', () => {
    covers('threat-40')
    const id = names.mint('key_1', named)
    expect(names.read('key_2', id)).toBeNull()
    expect(names.read('anonymous', id)).toBeNull()
    expect(createSealedIds(randomBytes(32), home).read('key_1', id)).toBeNull()
  })

  test('is never the same again, and cannot be altered, shortened, or written otherwise', () => {
    const id = names.mint('key_1', named)
    expect(names.mint('key_1', named)).not.toBe(id)
    fc.assert(
      fc.property(fc.nat(id.length - 1), fc.integer({ min: 33, max: 126 }), (place, char) => {
        const altered = id.slice(0, place) + String.fromCodePoint(char) + id.slice(place + 1)
        expect(names.read('key_1', altered) === null).toBe(altered !== id)
      }),
    )
    for (const other of [
      '',
      'gws_',
      id.slice(0, -1),
      `${id}A`,
      `${id}=`,
      ` ${id}`,
      randomIds.mint('key_1', named),
    ]) {
      expect(names.read('key_1', other)).toBeNull()
    }
  })

  test('where there is one process says nothing', () => {
    const id = randomIds.mint('key_1', named)
    expect(id).toMatch(/^gws_[A-Za-z0-9_-]{43}$/)
    expect(randomIds.read('key_1', id)).toBeNull()
  })
})

describe('what a client said of itself', () => {
  test('is kept as far as tool servers can make use of it', () => {
    const capabilities = {
      elicitation: { form: {}, url: { anything: 1 } },
      sampling: {},
      roots: { listChanged: true },
      experimental: { x: {} },
    }
    const said = traitsOf({ protocolVersion: '2025-11-25', capabilities })
    expect(clientFromByte(clientByte(said), said.protocolVersion)).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
    })
  })

  test('comes back from any byte as it went into it', () => {
    fc.assert(
      fc.property(fc.nat(127), fc.constantFrom(...protocolVersions), (bits, version) => {
        const read = clientFromByte(bits, version)
        expect(clientFromByte(clientByte(read), version)).toEqual(read)
      }),
    )
  })

  test('that is not known here is left out', () => {
    expect(traitsOf({ protocolVersion: '2031-01-01', capabilities: 'all' })).toEqual({
      protocolVersion: null,
      capabilities: {},
    })
  })
})
