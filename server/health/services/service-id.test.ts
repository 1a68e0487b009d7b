import { expect, test } from 'bun:test'

import { ServiceId, type ServiceSpec } from '../../../shared/health.ts'
import { specOf } from '../test-support/fixtures.ts'
import { deriveServiceId, generateServiceId } from './service-id.ts'

const isHexOfRpc = /^0x7270633a[0-9a-f]{56}$/

test('a generated id is 32 bytes of hex that begin with ASCII rpc:, and no two are the same', () => {
  const ids = new Set(Array.from({ length: 100 }, generateServiceId))
  expect(ids.size).toBe(100)
  for (const id of ids) {
    expect(id).toMatch(isHexOfRpc)
    expect(ServiceId.safeParse(id).success).toBe(true)
  }
})

test('a derived id stays as long as what is watched stays', () => {
  const spec = specOf('ignored')
  const id = deriveServiceId(spec)
  expect(id).toMatch(isHexOfRpc)
  const same: Partial<ServiceSpec>[] = [
    { policy: { enterBlocks: 9 } },
    { headers: { a: 'b' } },
    { id: undefined },
  ]
  for (const changes of same) expect(deriveServiceId({ ...spec, ...changes })).toBe(id)
  const other: Partial<ServiceSpec>[] = [
    { name: 'other' },
    { endpoint: 'https://other.example/' },
    { provider: 'other' },
    { chain: 'other' },
    { family: 'evm' },
  ]
  const others = other.map((changes) => deriveServiceId({ ...spec, ...changes }))
  expect(new Set([id, ...others]).size).toBe(other.length + 1)
})

test('fields cannot run into each other', () => {
  const left = deriveServiceId(specOf('x', { provider: 'ab', endpoint: 'https://c.example/' }))
  const right = deriveServiceId(specOf('x', { provider: 'a', endpoint: 'bhttps://c.example/' }))
  expect(left).not.toBe(right)
})
