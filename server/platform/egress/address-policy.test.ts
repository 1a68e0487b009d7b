import { BlockList, isIPv4 } from 'node:net'

import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { createAddressPolicy, readAddress } from './address-policy.ts'

const isPublic = createAddressPolicy([])

/** IANA IPv4 special-purpose registry (RFC 6890 and updates), multicast (RFC 5771), reserved (RFC 1112). */
const specialIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Not special to IANA: what the clouds answer themselves.
  '168.63.129.16/32',
  '161.26.0.0/16',
  '166.8.0.0/14',
]

/** All that is not global unicast (2000::/3), and the IANA IPv6 special-purpose registry inside it. */
const specialIpv6 = [
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
]

/** One list for each family: a `BlockList` also holds IPv4 addresses, as mapped ones, against IPv6 blocks. */
const blockedIpv4 = new BlockList()
for (const cidr of specialIpv4) blockedIpv4.addSubnet(...parts(cidr), 'ipv4')
const blockedIpv6 = new BlockList()
for (const cidr of specialIpv6) blockedIpv6.addSubnet(...parts(cidr), 'ipv6')

const oracleSaysPublic = (address: string): boolean =>
  isIPv4(address) ? !blockedIpv4.check(address, 'ipv4') : !blockedIpv6.check(address, 'ipv6')

function parts(cidr: string): [network: string, prefixLength: number] {
  const [network = '', prefixLength] = cidr.split('/')
  return [network, Number(prefixLength)]
}

const ipv4Text = (value: bigint): string =>
  [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.')

const ipv6Text = (value: bigint): string =>
  Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16)).join(
    ':',
  )

function ipv4Value(text: string): bigint {
  return text.split('.').reduce((sum, octet) => (sum << 8n) | BigInt(octet), 0n)
}

function ipv6Value(text: string): bigint {
  const [head = '', tail = ''] = text.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const middle = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...middle, ...right].reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n)
}

/** First and last address of a block, and their neighbours outside. */
function edges(cidr: string): string[] {
  const [network, prefixLength] = parts(cidr)
  const bits = isIPv4(network) ? 32n : 128n
  const first = isIPv4(network) ? ipv4Value(network) : ipv6Value(network)
  const last = first + (1n << (bits - BigInt(prefixLength))) - 1n
  const format = isIPv4(network) ? ipv4Text : ipv6Text
  return [first - 1n, first, first + 1n, last - 1n, last, last + 1n]
    .filter((value) => value >= 0n && value < 1n << bits)
    .map(format)
}

/** IPv4-mapped addresses follow IPv4's rule and have their own test, as those that NAT64 translates, which no probe here is. */
const isMapped = (value: bigint): boolean => value >> 32n === 0xffffn

describe('the address policy and a block list built from the IANA registries agree', () => {
  test('at every edge of every block', () => {
    const probes = [...specialIpv4, ...specialIpv6].flatMap(edges)
    expect(probes.filter((address) => isPublic(address) !== oracleSaysPublic(address))).toEqual([])
    expect(probes.some(isPublic)).toBe(true)
  })

  test('on one address of each IPv4 /16 and of each IPv6 /16', () => {
    const blocks = Array.from({ length: 65_536 }, (_, index) => BigInt(index))
    const probes = blocks.flatMap((block) => [
      ipv4Text((block << 16n) | 0x1234n),
      ipv6Text((block << 112n) | 0x99990001n),
    ])
    expect(probes.filter((address) => isPublic(address) !== oracleSaysPublic(address))).toEqual([])
  })

  test('on random IPv4 addresses', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, (1n << 32n) - 1n), (value) => {
        expect(isPublic(ipv4Text(value))).toBe(oracleSaysPublic(ipv4Text(value)))
      }),
      { numRuns: 20_000 },
    )
  })

  test('on random IPv6 addresses, half of them under global unicast', () => {
    const anywhere = fc.bigInt(0n, (1n << 128n) - 1n)
    const globalUnicast = fc.bigInt(1n << 125n, (1n << 126n) - 1n)
    const value = fc.oneof(anywhere, globalUnicast).filter((candidate) => !isMapped(candidate))
    fc.assert(
      fc.property(value, (candidate) => {
        expect(isPublic(ipv6Text(candidate))).toBe(oracleSaysPublic(ipv6Text(candidate)))
      }),
      { numRuns: 20_000 },
    )
  })
})

describe('what operators may allow', () => {
  test.each([
    '127.0.0.1',
    '10.0.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '100.127.255.254',
    '::1',
    'fd00:1::5',
    'fc00::1',
  ])('%s', (address) => expect(readAddress(address)).toEqual({ text: address, kind: 'private' }))

  test('is nothing that is public, and nothing outside of these blocks', () => {
    const own = new BlockList()
    for (const cidr of ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'])
      own.addSubnet(...parts(cidr), 'ipv4')
    fc.assert(
      fc.property(fc.bigInt(0n, (1n << 32n) - 1n), (value) => {
        const address = ipv4Text(value)
        const expected = own.check(address, 'ipv4') ? 'private' : isPublic(address) ? 'public' : 'special'
        if (address !== '100.100.100.200') expect(readAddress(address)?.kind).toBe(expected)
      }),
      { numRuns: 20_000 },
    )
    expect(readAddress('100.100.100.200')?.kind).toBe('special')
  })

  test('is one address, however it is written', () => {
    for (const text of ['::ffff:10.0.0.5', '0:0:0:0:0:ffff:a00:5', '10.0.0.5'])
      expect(readAddress(text)?.text).toBe('10.0.0.5')
    expect(readAddress('FD00:0:0:1::0005')?.text).toBe('fd00:0:0:1::5')
    expect(readAddress('10.0.0.0/8')).toBeNull()
  })
})

test('what is allowed besides is asked for each time', () => {
  let allowed = ''
  const mayReach = createAddressPolicy(['127.0.0.0/8'], (address) => address === allowed)
  expect([mayReach('10.0.0.5'), mayReach('127.0.0.1'), mayReach('8.8.8.8')]).toEqual([false, true, true])
  allowed = '10.0.0.5'
  expect(mayReach('10.0.0.5')).toBe(true)
  allowed = ''
  expect(mayReach('10.0.0.5')).toBe(false)
})

test('an IPv4-mapped address is judged as the IPv4 address it means', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, (1n << 32n) - 1n), (value) => {
      expect(isPublic(ipv6Text((0xffffn << 32n) | value))).toBe(isPublic(ipv4Text(value)))
    }),
    { numRuns: 5_000 },
  )
  expect(isPublic('::ffff:127.0.0.1')).toBe(false)
  expect(isPublic('::ffff:8.8.8.8')).toBe(true)
})

test('an address that NAT64 translates is judged as the IPv4 address in it, and no prefix beside that one is', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, (1n << 32n) - 1n), (value) => {
      expect(isPublic(ipv6Text((0x64ff9bn << 96n) | value))).toBe(isPublic(ipv4Text(value)))
    }),
    { numRuns: 5_000 },
  )
  expect(isPublic('64:ff9b::8.8.8.8')).toBe(true)
  for (const inside of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '168.63.129.16', '0.0.0.0'])
    expect(readAddress(`64:ff9b::${inside}`)?.kind).toBe('special')
  for (const beside of ['64:ff9b:1::808:808', '64:ff9b::1:808:808', '64:ff9a::808:808'])
    expect(isPublic(beside)).toBe(false)
})

test.each([
  '',
  'name.test',
  '0177.0.0.1',
  '0x7f.0.0.1',
  '127.1',
  '2130706433',
  '8.8.8.8 ',
  '08.8.8.8',
  '[::1]',
  '1.2.3.4/32',
])('text that is no plain address is refused: %p', (text) => expect(isPublic(text)).toBe(false))

test.each([
  ['AWS, GCP, Azure, Oracle, OpenStack', '169.254.169.254'],
  ['AWS containers', '169.254.170.2'],
  ['AWS over IPv6', 'fd00:ec2::254'],
  ['GCP over IPv6', 'fd20:ce::254'],
  ['Azure wire server', '168.63.129.16'],
  ['Azure wire server, mapped', '::ffff:168.63.129.16'],
  ['Alibaba', '100.100.100.200'],
  ['Tencent', '169.254.0.23'],
  ['Oracle classic', '192.0.0.192'],
  ['IBM services', '161.26.0.10'],
  ['IBM endpoints', '166.9.48.1'],
  ['Scaleway over IPv6', 'fd00:42::42'],
  ['Akamai over IPv6', 'fd00:a9fe:a9fe::1'],
  ['OpenStack over IPv6', 'fe80::a9fe:a9fe'],
])('what a cloud tells its own machines is not reached: %s at %s', (_cloud, address) => {
  expect(isPublic(address)).toBe(false)
})

test('the neighbours of those are public', () => {
  for (const address of ['168.63.129.15', '168.63.129.17', '161.25.255.255', '166.12.0.0']) {
    expect(isPublic(address)).toBe(true)
  }
})

test.each(['fe80::1%lo', '2606:4700::1111%eth0'])('an address with a zone is refused: %p', (text) => {
  expect(isPublic(text)).toBe(false)
})

describe('listed networks', () => {
  const mayReach = createAddressPolicy([
    '127.0.0.0/8',
    '10.1.0.0/16',
    'fd00:1::/32',
    '::1',
    '::ffff:10.3.0.0/112',
  ])

  test.each([
    '127.0.0.1',
    '127.255.255.255',
    '::ffff:127.0.0.1',
    '10.1.2.3',
    'fd00:1::5',
    '::1',
    '10.3.0.1',
    '8.8.8.8',
  ])('let %s through', (address) => expect(mayReach(address)).toBe(true))

  test.each(['10.2.0.1', '169.254.169.254', 'fd00:2::1', '::2', '::ffff:10.2.0.1'])(
    'do not let %s through',
    (address) => expect(mayReach(address)).toBe(false),
  )

  test('a block of one family never lets an address of the other through', () => {
    expect(createAddressPolicy(['::/0'])('10.0.0.1')).toBe(false)
    expect(createAddressPolicy(['0.0.0.0/0'])('fd00::1')).toBe(false)
  })

  test.each(['10.0.0.0/33', '10/8', 'fd00::/129', '10.0.0.0/-1', '10.0.0.0/', 'localhost/8', ''])(
    'an entry that is neither an address nor a CIDR block is named: %p',
    (text) => expect(() => createAddressPolicy([text])).toThrow(JSON.stringify(text)),
  )
})
