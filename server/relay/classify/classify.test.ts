import { describe, expect, test } from 'bun:test'

import type { Family } from '../../../shared/chains.ts'
import { classifyError, classOfStatus, rulesByFamily } from './classify.ts'
import type { AnswerClass, ErrorRules } from './error-rules.ts'
import { realErrors } from './test-support/real-errors.ts'

const classOf = (
  family: Family,
  error: unknown,
  { status = 200, method = 'eth_call', params = '[]' } = {},
): AnswerClass => classifyError({ family, status, error: JSON.stringify(error), method, params })

const families = Object.entries(rulesByFamily) as [Family, readonly ErrorRules[]][]
/** Families that have a module for Ethereum's API share its rows, which are tested once. */
const rows = families.flatMap(([family, rules]) =>
  rules.flatMap((rule) => {
    if (family !== 'evm' && rulesByFamily.evm?.includes(rule) === true) return []
    const texts = rule.texts ?? []
    const codes = rule.codes ?? []
    return [
      ...texts.map((text) => ({ family, rule, error: { code: -32_099, message: `0x1: ${text}.` } })),
      ...codes.map((code) => ({ family, rule, error: { code, message: 'words of nobody' } })),
    ]
  }),
)

/** Rows that an earlier row with wider words takes, or another meaning of the same code in the family. */
function isTaken(family: Family, rule: ErrorRules, error: { code: number; message: string }): boolean {
  const rules = rulesByFamily[family] ?? []
  return rules
    .slice(0, rules.indexOf(rule))
    .some(
      ({ codes, texts }) =>
        codes?.includes(error.code) === true || texts?.some((text) => error.message.includes(text)) === true,
    )
}

describe('every row of the table', () => {
  test('there are more than a hundred and twenty, and each names its source', () => {
    expect(rows.filter(({ family }) => family === 'evm').length).toBeGreaterThanOrEqual(120)
    for (const { rule } of rows) expect(rule.source.length).toBeGreaterThan(4)
    for (const { rule } of rows) for (const text of rule.texts ?? []) expect(text).toBe(text.toLowerCase())
  })

  const own = rows.filter(({ family, rule, error }) => !isTaken(family, rule, error))
  test.each(own.map((row) => [row.family, row.error.code, row.error.message, row.rule.class, row] as const))(
    '%s %d %s: %s',
    (family, _code, _message, expected, { error }) => {
      expect(classOf(family, error)).toBe(expected)
    },
  )

  test('rows that an earlier one takes are those that families redefine', () => {
    const taken = rows.filter(({ family, rule, error }) => isTaken(family, rule, error))
    expect(taken.filter(({ family }) => family === 'evm').map(({ error }) => error.message)).toEqual([])
  })
})

test.each(realErrors)('%s: %s (%j) is of the class %s', (family, _source, error, expected, more) => {
  expect(classOf(family, error, more)).toBe(expected)
})

describe('a status decides whatever the body says', () => {
  const reverted = { code: 3, message: 'execution reverted' }
  test.each([
    [401, 'node-failure'],
    [402, 'node-failure'],
    [403, 'node-failure'],
    [407, 'node-failure'],
    [413, 'call-failure'],
    [429, 'limit'],
    [500, 'node-failure'],
    [503, 'node-failure'],
    [200, 'answer'],
    [400, 'answer'],
    [404, 'answer'],
  ] as const)('%d: %s', (status, expected) => {
    expect(classOf('evm', reverted, { status })).toBe(expected)
  })

  test('but for Bitcoin Core, which answers errors of calls with 404 and 500', () => {
    expect(classOf('bitcoin', { code: -8, message: 'Negative count' }, { status: 500 })).toBe('answer')
    expect(classOf('bitcoin', { code: -32_601, message: 'Method not found' }, { status: 404 })).toBe(
      'unsupported',
    )
    expect(classOfStatus('bitcoin', 503)).toBe('node-failure')
  })

  // filecoin-project/go-jsonrpc, handler.go: `rpcError`
  test('and for Lotus, which answers them with 500', () => {
    const status = 500
    const params = { code: -32_602, message: "wrong param count (method 'Filecoin.ChainGetBlock'): 0 != 1" }
    expect(classOf('filecoin', params, { status })).toBe('answer')
    const unknown = { code: -32_601, message: "method 'Filecoin.Nothing' not found" }
    expect(classOf('filecoin', unknown, { status })).toBe('unsupported')
    expect(classOf('filecoin', { code: -32_603, message: 'Internal error' }, { status })).toBe('node-failure')
    expect(classOfStatus('filecoin', 502)).toBe('node-failure')
  })
})

describe('a caller cannot silence a node for others', () => {
  test('by a revert whose reason are the words of a limit', () => {
    for (const reason of [
      'rate limit exceeded',
      'invalid api key',
      'method not found',
      '429 too many requests',
    ]) {
      expect(classOf('evm', { code: 3, message: `execution reverted: ${reason}` })).toBe('answer')
      expect(classOf('evm', { code: -32_000, message: `VM Exception: revert ${reason}` })).toBe('answer')
    }
  })

  test('by parameters that the node repeats in its error, however they are escaped', () => {
    const message = 'invalid type: string "too many requests", expected an address'
    const params = String.raw`["\u0074oo many requests"]`
    expect(classOf('evm', { code: -32_000, message }, { params })).toBe('answer')
    expect(classOf('evm', { code: -32_602, message })).toBe('answer')
    expect(classOf('evm', { code: -32_000, message: 'too many requests' })).toBe('limit')
  })

  test('by the name of a method', () => {
    const method = 'eth_rate limit'
    const error = { code: -32_601, message: `the method ${method} does not exist/is not available` }
    expect(['unsupported', 'answer']).toContain(classOf('evm', error, { method }))
  })
})

test('what is no error object, or says nothing that anybody knows, is asked elsewhere', () => {
  expect(classifyError({ family: 'evm', status: 200, error: '{', method: 'a', params: '' })).toBe(
    'call-failure',
  )
  expect(classOf('evm', { message: 7 })).toBe('call-failure')
  expect(classOf('evm', { code: -32_000, message: 'who knows' })).toBe('call-failure')
  expect(classOf('evm', { code: '-32005', message: 'a code in quotes' })).toBe('limit')
})

test('a megabyte of words is read to its first thousands only', () => {
  const error = { code: -32_000, message: `${'x'.repeat(1_000_000)} too many requests` }
  expect(classOf('evm', error)).toBe('call-failure')
})
