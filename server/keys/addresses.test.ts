import { BlockList, isIP } from 'node:net'

import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { clientAddress, parseTrustedProxies } from '../platform/http/caller.ts'
import { type AddressRule, isAddressAllowed, parseAddressRule } from './addresses.ts'
import { quickestMs } from '../../tests/support/quickest.ts'
import { covers } from '../../tests/support/covers.ts'

function rule(entry: string): AddressRule {
  const reading = parseAddressRule(entry)
  if (reading.kind === 'refused') throw new Error(`${entry}: ${reading.why}`)
  return reading.rule
}

const allows = (entry: string, address: string | null): boolean => isAddressAllowed([rule(entry)], address)

describe('who is allowed', () => {
  test.each([
    ['198.51.100.7', '198.51.100.7', true],
    ['198.51.100.7', '198.51.100.70', false],
    ['198.51.100.7/24', '198.51.100.255', true],
    ['198.51.100.7/24', '198.51.101.0', false],
    ['198.51.100.7/32', '198.51.100.7', true],
    ['0.0.0.0/0', '8.8.8.8', true],
    ['0.0.0.0/0', '2001:db8::7', false],
    ['0.0.0.0/0', '::ffff:8.8.8.8', true],
    ['::/0', '2001:db8::7', true],
    ['::/0', '8.8.8.8', false],
    ['::/0', '::ffff:8.8.8.8', false],
    ['::ffff:198.51.100.7', '198.51.100.7', true],
    ['198.51.100.7', '::ffff:c633:6407', true],
    ['::ffff:198.51.100.0/120', '198.51.100.9', true],
    ['2001:db8::/33', '2001:db8:7fff::1', true],
    ['2001:db8::/33', '2001:db8:8000::1', false],
    ['2001:DB8:0:0::7', '2001:db8::7', true],
    ['10.0.0.0/8', '', false],
    ['10.0.0.0/8', '10.1', false],
    ['10.0.0.0/8', '167772161', false],
    ['10.0.0.0/8', '10.0.0.1%eth0', false],
  ])('%s and %s: %p', (entry, address, expected) => expect(allows(entry, address)).toBe(expected))

  test('a caller without a known address is refused, unless the list is empty', () => {
    expect(allows('0.0.0.0/0', null)).toBe(false)
    expect(isAddressAllowed([], null)).toBe(true)
    expect(isAddressAllowed([rule('192.0.2.1'), rule('::/0')], '2001:db8::1')).toBe(true)
  })

  test.each([
    ['spoofed hop on the left', '10.0.0.1', '203.0.113.66, 198.51.100.7', false],
    ['spoofed hop without a proxy', '198.51.100.7', '203.0.113.66', false],
    ['right hop with a port', '10.0.0.1', '203.0.113.66:52814', true],
    ['right hop', '10.0.0.1', '198.51.100.7, 203.0.113.66', true],
    ['octal hop', '10.0.0.1', '0313.0.113.66', false],
    ['integer hop', '10.0.0.1', '3405803842', false],
    ['empty hop', '10.0.0.1', '203.0.113.66,', false],
  ])('%s', (_title, peer, forwardedFor, expected) => {
    const address = clientAddress(peer, forwardedFor, parseTrustedProxies(['10.0.0.0/8']))
    expect(allows('203.0.113.66', address)).toBe(expected)
  })
})

describe('what is refused at creation, each with what is allowed', () => {
  test.each([
    ['0306.51.100.7', 'leading zeros'],
    ['01.2.3.4', 'leading zeros'],
    ['1.2.3.04', 'leading zeros'],
    ['134744072', 'such as 192.0.2.7'],
    ['0x7f000001', 'such as 192.0.2.7'],
    ['127.1', 'such as 192.0.2.7'],
    ['1.2.3.256', 'such as 192.0.2.7'],
    ['198.51.100.7:52814', 'such as 192.0.2.7'],
    ['[2001:db8::7]:443', 'such as 192.0.2.7'],
    ['[2001:db8::7]', 'such as 192.0.2.7'],
    ['fe80::1%eth0', 'without zone'],
    ['1.2.3.4/33', '/0 to /32'],
    ['1.2.3.4/-1', '/0 to /32'],
    ['1.2.3.4/024', '/0 to /32'],
    ['1.2.3.4/', '/0 to /32'],
    ['1.2.3.4/8/8', '/0 to /32'],
    ['1.2.3.4/255.255.255.0', '/0 to /32'],
    ['2001:db8::/129', '/0 to /128'],
    ['::ffff:1.2.3.4/24', '/96 to /128'],
    ['::ffff:01.2.3.4', 'such as 192.0.2.7'],
    ['::ffff:1.2.3', 'such as 192.0.2.7'],
    ['example.com', 'such as 192.0.2.7'],
    ['*', 'such as 192.0.2.7'],
    ['', 'such as 192.0.2.7'],
    ['1'.repeat(65), 'at most 64'],
  ])('%s', (entry, why) => {
    const reading = parseAddressRule(entry)
    expect(reading.kind === 'refused' && reading.why).toInclude(why)
  })
})

test('host bits are masked away, and what applies reads back as itself', () => {
  expect(rule('198.51.100.7/24').text).toBe('198.51.100.0/24')
  expect(rule('2001:db8:ffff::7/33').text).toBe('2001:db8:8000::/33')
  expect(rule('::ffff:198.51.100.7/127').text).toBe('198.51.100.6/31')
  expect(rule(' 198.51.100.7/32 ').text).toBe('198.51.100.7')
})

const bytes = (count: number) =>
  fc.array(fc.integer({ min: 0, max: 255 }), { minLength: count, maxLength: count })
const ipv4 = bytes(4).map((parts) => parts.join('.'))
const ipv6 = bytes(16).map((parts) =>
  Array.from({ length: 8 }, (_, place) =>
    ((parts[place * 2] ?? 0) * 256 + (parts[place * 2 + 1] ?? 0)).toString(16),
  ).join(':'),
)

/** An address that differs from the network's only from some bit on, or a random one. */
const near = (address: string, other: string, isNear: boolean, separator: '.' | ':'): string => {
  if (!isNear) return other
  const [parts, others] = [address.split(separator), other.split(separator)]
  return parts
    .map((part, place) => (place < parts.length / 2 ? part : (others[place] ?? part)))
    .join(separator)
}

test('net.BlockList agrees about every address and network', () => {
  covers('api-key-ip-matching')
  const families = [
    { address: ipv4, longest: 32, separator: '.', family: 'ipv4' },
    { address: ipv6, longest: 128, separator: ':', family: 'ipv6' },
  ] as const
  for (const { address, longest, separator, family } of families) {
    const length = fc.integer({ min: 0, max: longest })
    fc.assert(
      fc.property(address, length, address, fc.boolean(), (network, bits, other, isNear) => {
        const caller = near(network, other, isNear, separator)
        const list = new BlockList()
        list.addSubnet(network, bits, family)
        expect(allows(`${network}/${bits}`, caller)).toBe(list.check(caller, family))
        const applied = rule(`${network}/${bits}`)
        expect(rule(applied.text)).toEqual(applied)
        expect(allows(network, caller)).toBe(network === caller)
      }),
      { numRuns: 3_000 },
    )
  }
})

test('what is accepted is an address for Node as well', () => {
  const addressLike = fc.stringMatching(/^[0-9a-f:.x]{1,20}$/)
  fc.assert(
    fc.property(fc.oneof(fc.string({ maxLength: 20 }), addressLike, ipv4, ipv6, fc.ipV6()), (text) => {
      const isAccepted = parseAddressRule(text).kind === 'rule'
      if (isAccepted && !text.includes('/')) expect(isIP(text.trim())).not.toBe(0)
      if (isIP(text) !== 0 && !text.includes('%')) expect(isAccepted).toBe(true)
    }),
    { numRuns: 5_000 },
  )
})

test('100 KB of anything is answered within 10 ms', () => {
  covers('threat-11')
  const long = 100_000
  for (const text of [
    '1'.repeat(long),
    '1.'.repeat(long / 2),
    ':'.repeat(long),
    `1.2.3.4/${'1'.repeat(long)}`,
  ]) {
    const answer = () => {
      expect(parseAddressRule(text).kind).toBe('refused')
      expect(isAddressAllowed([rule('0.0.0.0/0'), rule('::/0')], text)).toBe(false)
    }
    expect(quickestMs(answer)).toBeLessThan(10)
  }
})
