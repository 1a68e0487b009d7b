import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { ReturnPath } from './accounts.ts'

const isGood = (path: string): boolean => ReturnPath.safeParse(path).success

test('pages of this site', () => {
  const pages = [
    '/',
    '/api-keys',
    '/services/node-a',
    '/services/eth:main',
    '/usage?from=2026-01-01&key=a%20b',
    '/a/',
  ]
  for (const page of pages) expect(isGood(page)).toBe(true)
})

test('nothing that leads elsewhere', () => {
  const tricks = [
    '', 'evil', '//evil', '///evil', '/\\evil', '\\\\evil', 'https:evil', 'https://evil', '/%2f%2fevil', '%2f%2fevil',
    '/%5cevil', '/\t/evil', '/\n/evil', '/a//evil', '/a\\evil', ' /a', '/a b', '/:evil', '/@evil', '/a?b#c', '/a\u0000',
    'javascript:alert(1)', '/a\u2028', '/ｅvil', `/${'a'.repeat(500)}`,
  ] // prettier-ignore
  for (const trick of tricks) expect([trick, isGood(trick)]).toEqual([trick, false])
})

test('whatever is allowed stays on the site that a browser is on', () => {
  const characters = fc.constantFrom('/', '\\', '.', ':', '@', '?', '#', '%', '2', 'f', 'a', '\t', '&', '=')
  fc.assert(
    fc.property(fc.string({ unit: characters, maxLength: 12 }), (path) => {
      fc.pre(isGood(path))
      expect(new URL(path, 'https://gate.example.org/auth/callback/github').origin).toBe(
        'https://gate.example.org',
      )
      expect(new URL(decodeURIComponent(path.split('?')[0] ?? ''), 'https://gate.example.org').host).toBe(
        'gate.example.org',
      )
    }),
    { numRuns: 5_000 },
  )
})
