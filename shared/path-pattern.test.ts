import { describe, expect, test } from 'bun:test'

import { CreditPrices, MethodRules } from './endpoints.ts'
import { MethodPattern } from './method-pattern.ts'
import { createPathMatcher, hasPaths, segmentsOf } from './path-pattern.ts'

const isPattern = (entry: string) => MethodPattern.safeParse(entry).success

describe('a pattern', () => {
  test.each([
    'GET /eth/v1/beacon/**',
    'GET /eth/v1/node/version',
    'POST /eth/v1/beacon/states/*/validators',
    'GET /cosmos/bank/v1beta1/balances/*',
    'GET /v1/accounts/*/resource/0x1::*',
    'DELETE /a/b-c_d~e',
    'GET /**',
    'GET /',
    'POST /',
    'PUT /a',
  ])('%s', (entry) => expect(isPattern(entry)).toBe(true))

  test.each([
    'GET ',
    'GET eth/v1',
    'get /eth',
    'HEAD /eth', // GET is for both
    'OPTIONS /eth',
    'TRACE /eth',
    'GET //eth',
    'GET /eth//v1',
    'GET /eth/../admin',
    'GET /./eth',
    'GET /eth/..',
    'GET /eth/%2e',
    'GET /eth?x=1',
    'GET /eth#x',
    'GET /**/eth',
    'GET /e**',
    'GET /a*b*c',
    'GET /eth/v1 ',
    'GET  /eth',
    'GET /eth /v1',
    'GET /a\\b',
    'GET /a;b',
    'GET /a\r\nHost: x',
    `GET /${'a'.repeat(100)}`,
  ])('not %j', (entry) => expect(isPattern(entry)).toBe(false))
})

const matchOf = (patterns: string[], method: string, path: string, isAnyCase = false) =>
  createPathMatcher(patterns, isAnyCase)(method, segmentsOf(path))

describe('a call matches', () => {
  test.each([
    ['GET /eth/v1/node/version', 'GET', '/eth/v1/node/version', true],
    ['GET /eth/v1/node/version', 'GET', '/eth/v1/node/version/', true],
    ['GET /eth/v1/node/version', 'HEAD', '/eth/v1/node/version', true],
    ['GET /eth/v1/node/version', 'POST', '/eth/v1/node/version', false],
    ['GET /eth/v1/node/version', 'GET', '/eth/v1/node/versions', false],
    ['GET /eth/v1/node/version', 'GET', '/ETH/v1/node/version', false],
    ['GET /eth/v1/node/version', 'GET', '/eth/v1/node/version/x', false],
    ['GET /eth/v1/node/version', 'GET', '/x/eth/v1/node/version', false],
    ['GET /eth/v1/*/head', 'GET', '/eth/v1/blocks/head', true],
    ['GET /eth/v1/*/head', 'GET', '/eth/v1/a/b/head', false],
    ['GET /eth/v*', 'GET', '/eth/v2', true],
    ['GET /eth/v*.0', 'GET', '/eth/v2.0', true],
    ['GET /eth/v*.0', 'GET', '/eth/v2x0', false], // a dot is a dot
    ['GET /eth/**', 'GET', '/eth', true],
    ['GET /eth/**', 'GET', '/eth/', true],
    ['GET /eth/**', 'GET', '/eth/a/b/c', true],
    ['GET /eth/**', 'GET', '/ethx', false],
    ['GET /**', 'GET', '/', true],
    ['GET /', 'GET', '/', true],
    ['GET /', 'GET', '/a', false],
  ] as const)('%s: %s %s is %p', (pattern, method, path, expected) => {
    expect(matchOf([pattern], method, path)).toBe(expected ? pattern : null)
  })

  test('the first of several', () => {
    const patterns = ['GET /eth/v1/node/*', 'GET /eth/**']
    expect(matchOf(patterns, 'GET', '/eth/v1/node/version')).toBe('GET /eth/v1/node/*')
    expect(matchOf(patterns, 'GET', '/eth/v2/x')).toBe('GET /eth/**')
  })

  test('in any case, where that is asked for', () => {
    expect(matchOf(['GET /admin/**'], 'GET', '/ADMIN/x', true)).toBe('GET /admin/**')
  })
})

test('patterns stand in the rules and prices of an endpoint', () => {
  const rules = MethodRules.parse({ allow: ['GET /eth/**'] })
  expect(hasPaths(rules)).toBe(true)
  expect(hasPaths(MethodRules.parse({ allow: ['eth_*'] }))).toBe(false)
  expect(CreditPrices.parse({ default: 5, 'GET /eth/**': 1, eth_call: 2 })).toMatchObject({
    'GET /eth/**': 1,
  })
})
