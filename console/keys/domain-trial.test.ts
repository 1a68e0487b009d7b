import { describe, expect, test } from 'bun:test'

import { missingApexes, tryAddress } from './domain-trial.ts'
import type { DomainTrial } from './domain-trial.ts'
import { covers } from '../../tests/support/covers.ts'

describe('trying an address', () => {
  const list = ['app.example.org', '*.example.com', '*.broken']

  test.each<[typed: string, trial: DomainTrial]>([
    ['shop.example.com', { kind: 'allowed', origin: 'https://shop.example.com', rule: '*.example.com' }],
    [
      ' HTTP://a.b.example.com:8080/x?y#z ',
      { kind: 'allowed', origin: 'http://a.b.example.com:8080', rule: '*.example.com' },
    ],
    ['app.example.org/path', { kind: 'allowed', origin: 'https://app.example.org', rule: 'app.example.org' }],
    ['example.com', { kind: 'refused', origin: 'https://example.com' }],
    ['evilexample.com', { kind: 'refused', origin: 'https://evilexample.com' }],
    ['a.broken', { kind: 'refused', origin: 'https://a.broken' }],
    ['', { kind: 'nothing typed' }],
    ['*.example.com', { kind: 'no address' }],
    ['file:///etc/passwd', { kind: 'no address' }],
    ['two words', { kind: 'no address' }],
  ])('%s', (typed, trial) => {
    covers('api-key-domain-wildcard')
    expect(tryAddress(list, typed)).toEqual(trial)
  })

  test('a blank list lets everybody in', () => {
    expect(tryAddress([], 'example.com')).toEqual({ kind: 'any', origin: 'https://example.com' })
  })
})

test('what wildcards leave out is offered unless it is let in already', () => {
  expect(missingApexes(['*.example.com', '*.example.org', 'example.org'])).toEqual(['example.com'])
  expect(missingApexes(['https://*.example.com:8443', '*.x.example.com', 'app-*.example.net'])).toEqual([
    'https://example.com:8443',
    'x.example.com',
  ])
  expect(missingApexes(['*.b.example.com', '*.example.com'])).toEqual(['example.com'])
  expect(missingApexes(['*', '*.example.com'])).toEqual([])
})
