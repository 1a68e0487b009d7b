import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { callerOrigin } from '../server/platform/http/caller.ts'
import { type DomainRule, apexOf, isDomainAllowed, matchingRule, parseDomainRule } from './allowed-domains.ts'
import { quickestMs } from '../tests/support/quickest.ts'
import { covers } from '../tests/support/covers.ts'

function rule(entry: string): DomainRule {
  const reading = parseDomainRule(entry)
  if (reading.kind === 'refused') throw new Error(`${entry}: ${reading.why}`)
  return reading.rule
}

const allows = (entry: string, origin: string): boolean => isDomainAllowed([rule(entry)], origin)

/** As a request brings it: by its headers. */
const allowsRequest = (entry: string, origin: string | null, referer: string | null = null): boolean =>
  isDomainAllowed([rule(entry)], callerOrigin(origin, referer))

describe('what matches', () => {
  test.each([
    ['example.com', 'https://example.com'],
    ['example.com', 'http://example.com'],
    ['example.com', 'https://example.com:8443'],
    ['EXAMPLE.com.', 'https://example.com'],
    ['example.com', 'https://EXAMPLE.com.'],
    ['https://example.com', 'https://example.com'],
    ['example.com:443', 'https://example.com'],
    ['example.com:80', 'http://example.com'],
    ['*.example.com', 'https://a.example.com'],
    ['*.example.com', 'https://a.b.c.example.com'],
    ['*.example.com', 'https://A_b.example.com'],
    ['a.*.example.com', 'https://a.b.example.com'],
    ['*.*.example.com', 'https://a.b.example.com'],
    ['app-*.example.com', 'https://app-7-x.example.com'],
    ['*-app-*.example.com', 'https://x-app-y.example.com'],
    ['a*a.example.com', 'https://aaa.example.com'],
    ['*', 'https://anything.example'],
    ['https://*', 'https://anything.example'],
    ['*:8080', 'http://localhost:8080'],
    ['localhost', 'http://localhost:5173'],
    ['192.0.2.1', 'http://192.0.2.1'],
    ['[2001:DB8:0::1]', 'https://[2001:db8::1]:8443'],
    ['bücher.example', 'https://xn--bcher-kva.example'],
    ['*.bücher.example', 'https://www.BÜCHER.example'],
  ])('%s allows %s', (entry, origin) => {
    expect(allows(entry, origin)).toBe(true)
    expect(allowsRequest(entry, origin)).toBe(true)
  })
})

describe('what does not match', () => {
  test.each([
    ['example.com', 'https://evil-example.com'],
    ['example.com', 'https://evilexample.com'],
    ['example.com', 'https://example.com.evil.net'],
    ['example.com', 'https://www.example.com'],
    ['example.com', 'https://example.co'],
    ['*.example.com', 'https://example.com'],
    ['*.example.com', 'https://.example.com'],
    ['*.example.com', 'https://evilexample.com'],
    ['*.example.com', 'https://a.example.com.evil.net'],
    ['a.*.example.com', 'https://a.example.com'],
    ['a.*.example.com', 'https://a.b.c.example.com'],
    ['app-*.example.com', 'https://app-.example.com'],
    ['app-*.example.com', 'https://app-a.b.example.com'],
    ['app-*.example.com', 'https://app-a_b.example.com'],
    ['app-*.example.com', 'https://x.app-a.example.com'],
    ['a*a.example.com', 'https://aa.example.com'],
    ['*.*.example.com', 'https://a.example.com'],
    ['https://example.com', 'http://example.com'],
    ['example.com:443', 'http://example.com'],
    ['example.com:8443', 'https://example.com'],
    ['192.0.2.1', 'http://192.0.2.10'],
    ['example.com', 'https://exаmple.com'], // the third letter is Cyrillic
    ['*', 'file:///etc/passwd'],
    ['*', 'chrome-extension://abcdefgh'],
    ['*', 'null'],
    ['*', ''],
  ])('%s refuses %s', (entry, origin) => {
    expect(allows(entry, origin)).toBe(false)
    expect(allowsRequest(entry, origin)).toBe(false)
  })
})

describe('headers that pretend', () => {
  const refused: [title: string, origin: string | null, referer: string | null][] = [
    ['nothing', null, null],
    ['null, although the referer is right', 'null', 'https://app.example.com/'],
    ['empty, although the referer is right', '', 'https://app.example.com/'],
    ['user in front', 'https://app.example.com@evil.net', null],
    ['user with password', 'https://evil.net:x@app.example.com', null],
    ['backslash', String.raw`https://evil.net\.example.com`, null],
    ['zero byte', 'https://evil.net%00.app.example.com', null],
    ['zero byte at the end', 'https://app.example.com%00', null],
    ['two origins', 'https://app.example.com https://evil.net', null],
    ['two headers, joined', 'https://app.example.com, https://evil.net', null],
    ['with a path', 'https://app.example.com/x', null],
    ['with a fragment', 'https://evil.net#.example.com', null],
    ['with a query', 'https://evil.net?.example.com', null],
    ['a file', 'file://app.example.com', null],
    ['no scheme', 'app.example.com', null],
    ['other referer', null, 'https://evil.net/https://app.example.com/'],
  ]
  test.each(refused)('%s', (_title, origin, referer) => {
    expect(allowsRequest('*.example.com', origin, referer)).toBe(false)
  })

  test('the referer counts where there is no origin', () => {
    expect(allowsRequest('*.example.com', null, 'https://app.example.com/page?q=1#x')).toBe(true)
  })
})

test('lists are ORed; an empty one allows everybody, also without an origin', () => {
  expect(isDomainAllowed([], null)).toBe(true)
  const list = [rule('a.example'), rule('*.b.example')]
  expect(isDomainAllowed(list, 'https://x.b.example')).toBe(true)
  expect(isDomainAllowed(list, 'https://c.example')).toBe(false)
  expect(isDomainAllowed(list, null)).toBe(false)
})

test('the rule that lets a page in is the first that matches', () => {
  const list = [rule('a.example.com'), rule('*.example.com'), rule('*')]
  const found = ['https://a.example.com', 'https://b.example.com', 'https://c.example', 'null'].map(
    (origin) => matchingRule(list, origin)?.text ?? null,
  )
  expect(found).toEqual(['a.example.com', '*.example.com', '*', null])
})

test.each([
  ['*.example.com', 'example.com'],
  ['https://*.example.com:8443', 'https://example.com:8443'],
  ['*.app-*.example.com', null],
  ['app.example.com', null],
  ['*', null],
])('what %s leaves out: %s', (entry, apex) => {
  expect(apexOf(rule(entry))).toBe(apex)
  if (apex === null) return
  expect(allows(entry, `https://${apex.replace('https://', '')}`)).toBe(false)
})

describe('what is refused at creation, each with what is allowed', () => {
  test.each([
    ['*.com', 'last two parts'],
    ['example.*', 'last two parts'],
    ['*.*.com', 'last two parts'],
    ['*a.com', 'last two parts'],
    ['*.', 'last two parts'],
    ['**.example.com', 'no two * together'],
    ['a**b.example.com', 'no two * together'],
    ['*-bücher.example.com', 'a-z, 0-9 and -'],
    ['a_*.example.com', 'a-z, 0-9 and -'],
    ['', 'empty parts'],
    ['a..example.com', 'empty parts'],
    ['ftp://example.com', 'http:// or https://'],
    ['https://example.com/path', 'without path'],
    ['user@example.com', 'without path, user'],
    ['exa mple.com', 'spaces'],
    ['%2a.example.com', 'a domain such as'],
    ['example.com:0', 'port from 1'],
    ['example.com:65536', 'port from 1'],
    ['example.com:', 'port from 1'],
    ['0x7f.0.0.1', 'browsers understand'],
    ['0177.0.0.1', 'browsers understand'],
    ['134744072', 'browsers understand'],
    ['*.0.0.1', 'browsers understand'],
    ['exa．mple.com', 'browsers understand'],
    ['xn--a.example', 'browsers understand'],
    ['*.[::1]', 'in brackets'],
    ['[::1', 'in brackets'],
    ['a'.repeat(301), 'at most 300'],
  ])('%s', (entry, why) => {
    const reading = parseDomainRule(entry)
    expect(reading.kind === 'refused' && reading.why).toInclude(why)
  })
})

/** Without those of encoded Unicode, which few random texts are: no host has a wrong one, so no rule may. */
const label = fc
  .stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,6}[a-z0-9])?$/)
  .filter((text) => !text.startsWith('xn--'))
const wildcardLabel = fc
  .stringMatching(/^(?:[a-c-]{0,2}\*){1,3}[a-c-]{0,2}$/)
  .filter((text) => !text.includes('**'))
const host = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'))
const text = fc.oneof(host, fc.webAuthority({ withPort: true }), fc.string({ unit: 'binary', maxLength: 30 }))

const bare = (hostname: string): string => hostname.replace(/\.$/, '')

test('a literal rule means the host that the URL parser reads, and nothing else', () => {
  fc.assert(
    fc.property(text, text, (entry, other) => {
      const reading = parseDomainRule(entry)
      fc.pre(reading.kind === 'rule' && !entry.includes('*'))
      const url = new URL(entry.includes('://') ? entry : `http://${entry.trim()}`)
      expect(allows(entry, `http://${url.host}`)).toBe(true)
      fc.pre(URL.canParse(`http://${other}`))
      const page = new URL(`http://${other}`)
      const isSamePort = reading.rule.port === null || reading.rule.port === Number(page.port || '80')
      expect(allows(entry, page.origin)).toBe(bare(page.hostname) === bare(url.hostname) && isSamePort)
    }),
    { numRuns: 2_000 },
  )
})

test('wildcards mean what an expression made of them would', () => {
  covers('api-key-domain-wildcard')
  const pattern = fc
    .tuple(fc.boolean(), fc.array(fc.oneof(label, wildcardLabel), { maxLength: 2 }))
    .map(([isDeep, labels]) => [...(isDeep ? ['*'] : []), ...labels, 'ab', 'example'].join('.'))
  const fewLetters = fc.stringMatching(/^[a-c-]{1,6}$/)
  const page = fc
    .array(fewLetters, { maxLength: 3 })
    .map((labels) => [...labels, 'ab', 'example'].join('.'))
    .filter((name) => URL.canParse(`http://${name}`))
  fc.assert(
    fc.property(pattern, page, (entry, name) => {
      const deep = entry.startsWith('*.') ? String.raw`(?:[^.]+\.)+` : ''
      const rest = entry.slice(deep === '' ? 0 : 2)
      const expression = rest.replaceAll('.', String.raw`\.`).replaceAll('*', '[a-z0-9-]+')
      expect(allows(entry, `https://${name}`)).toBe(new RegExp(`^${deep}${expression}$`).test(name))
    }),
    { numRuns: 5_000 },
  )
})

test('what applies reads back as itself', () => {
  fc.assert(
    fc.property(text, (entry) => {
      const reading = parseDomainRule(entry)
      fc.pre(reading.kind === 'rule')
      expect(rule(reading.rule.text)).toEqual(reading.rule)
    }),
    { numRuns: 2_000 },
  )
})

test('100 KB of anything is answered within 10 ms', () => {
  covers('threat-11')
  const many = rule(`${'a*'.repeat(120)}a.b.example`)
  const long = 100_000
  const attempts: (() => unknown)[] = [
    () => parseDomainRule('a'.repeat(long)),
    () => parseDomainRule('*'.repeat(long)),
    () => parseDomainRule('a.'.repeat(long / 2)),
    () => parseDomainRule(`${' '.repeat(long)}x.y`),
    () => isDomainAllowed([many], `https://${'a'.repeat(long)}.b.example`),
    () => isDomainAllowed([many], `https://${'a'.repeat(240)}b.b.example`),
    () => isDomainAllowed([many], `https://${'a.'.repeat(long / 2)}example`),
    () => isDomainAllowed([many], callerOrigin(`https://${'a'.repeat(long)}!`, null)),
  ]
  for (const attempt of attempts) expect(quickestMs(attempt)).toBeLessThan(10)
})
