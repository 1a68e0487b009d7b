import { expect, test } from 'bun:test'

import { addressProblem } from './address-entry.ts'

test.each([
  '192.0.2.7',
  '198.51.100.0/24',
  '2001:db8::/32',
  '::1',
  '::ffff:192.0.2.7',
  '0.0.0.0/0',
  ' 10.0.0.1 ',
])('%p is an address', (entry) => expect(addressProblem(entry)).toBeNull())

test.each([
  ['198.051.100.7', 'without leading zeros'],
  ['198.51.100', 'expected an IP address'],
  ['198.51.100.256', 'expected an IP address'],
  ['example.com', 'expected an IP address'],
  ['fe80::1%eth0', 'expected an IP address'],
  ['2001:db8:::1', 'expected an IP address'],
  ['198.51.100.0/33', 'from /0 to /32'],
  ['198.51.100.0/', 'from /0 to /32'],
  ['2001:db8::/129', 'from /0 to /128'],
  ['198.51.100.0/8/9', 'from /0 to /32'],
])('%p says %p', (entry, problem) => expect(addressProblem(entry)).toContain(problem))
