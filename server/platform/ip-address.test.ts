import { describe, expect, test } from 'bun:test'

import { parseIpAddress } from './ip-address.ts'

describe('an address is read', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['2001:DB8::0:1', '2001:db8::1'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['64:ff9b::192.0.2.7', '64:ff9b::c000:207'],
  ])('%s as %s', (text, canonical) => expect(parseIpAddress(text)?.toString()).toBe(canonical))
})

describe('no address is', () => {
  test.each([
    ['octal', '010.0.0.1'],
    ['octal in IPv6', '::ffff:010.0.0.1'],
    ['hexadecimal', '0x0a.0.0.1'],
    ['hexadecimal in IPv6', '::ffff:0x0a.0.0.1'],
    ['an integer', '167772161'],
    ['a short form', '10.1'],
    ['a short form in IPv6', '::ffff:10.1'],
    ['too large a number', '10.0.0.256'],
    ['one with a zone', 'fe80::1%eth0'],
    ['one with a port', '10.0.0.1:80'],
    ['one in brackets', '[::1]'],
    ['one with blanks', ' 10.0.0.1'],
    ['nothing', ''],
  ])('%s: %s', (_, text) => expect(parseIpAddress(text)).toBeNull())
})
