import { expect, test } from 'bun:test'

import { networkOf } from './network.ts'

test('keeps the network of an address', () => {
  const prefix = { ipv4: 24, ipv6: 48 }
  expect(networkOf('198.51.100.77', prefix)).toBe('198.51.100.0/24')
  expect(networkOf('2001:db8:1:2:3:4:5:6', prefix)).toBe('2001:db8:1::/48')
  expect(networkOf('198.51.100.77', { ipv4: 32, ipv6: 64 })).toBe('198.51.100.77/32')
})

test('of what is no address there is none', () => {
  for (const address of [null, '', 'unknown']) expect(networkOf(address, { ipv4: 24, ipv6: 48 })).toBeNull()
})
