import { expect, test } from 'bun:test'

import * as z from 'zod/mini'

import { ServiceSpec } from '../../shared/health.ts'
import { type ValidatedPart, describeInvalid } from './validation-text.ts'

const text = (schema: z.ZodMiniType, value: unknown, part: ValidatedPart = 'body') =>
  describeInvalid(schema, value, part)

const Key = z.strictObject({
  name: z.string().check(z.minLength(1), z.maxLength(100)),
  rateLimit: z.optional(z.int().check(z.minimum(1))),
  period: z.optional(z.enum(['minute', 'hour'])),
  share: z.optional(z.number().check(z.gt(0), z.lt(1))),
  tags: z.optional(z.array(z.string()).check(z.maxLength(1))),
  target: z.optional(z.union([z.string(), z.number()])),
  rule: z.optional(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a') }),
      z.object({ kind: z.literal('b'), n: z.number() }),
    ]),
  ),
  at: z.optional(z.iso.datetime()),
  limits: z.optional(z.record(z.string().check(z.regex(/^[a-z]+$/)), z.number())),
})
const Keys = z.array(Key).check(z.minLength(1))

const cases: [value: unknown, expected: string][] = [
  [
    [{ name: 'a' }, { name: 'b' }, { name: 'c', rateLimit: 0 }],
    '[2].rateLimit: expected a number of at least 1',
  ],
  [[{ name: 'a', rateLimit: 1.5 }], '[0].rateLimit: expected a whole number'],
  [[{ name: 'a', rateLimit: '5' }], '[0].rateLimit: expected a number'],
  [[{}], '[0].name: required, expected a text'],
  [[{ name: '' }], '[0].name: expected at least 1 character'],
  [[{ name: 'x'.repeat(101) }], '[0].name: expected at most 100 characters'],
  [[{ name: 'a', period: 'week' }], '[0].period: expected one of "minute", "hour"'],
  [[{ name: 'a', share: 0 }], '[0].share: expected a number of more than 0'],
  [[{ name: 'a', share: 1 }], '[0].share: expected a number of less than 1'],
  [[{ name: 'a', tags: ['b', 'c'] }], '[0].tags: expected at most 1 entry'],
  [[{ name: 'a', target: true }], '[0].target: expected a text or a number'],
  [[{ name: 'a', rule: { kind: 'c' } }], '[0].rule.kind: expected one of "a", "b"'],
  [[{ name: 'a', rule: { kind: 'b' } }], '[0].rule.n: required, expected a number'],
  [[{ name: 'a', at: 'now' }], '[0].at: expected an RFC 3339 instant such as 2026-01-31T12:00:00Z'],
  [
    [{ name: 'a', limits: { A: 1 } }],
    '[0].limits.A: a name in it is not allowed (expected the documented pattern)',
  ],
  [[{ name: 'a', colour: 1, size: 2 }], '[0]: unknown fields colour, size'],
  [[], 'body: expected at least 1 entry'],
  [{ name: 'a' }, 'body: expected an array'],
  [null, 'body: expected an array'],
]
for (const [value, expected] of cases) {
  test(`${JSON.stringify(value).slice(0, 60)} → ${expected}`, () => {
    expect(text(Keys, value)).toBe(expected)
  })
}

const named = z.object({
  header: z.string().check(z.refine(() => false, { error: 'this header is not: expected another' })),
})

test('a sentence that says what is wrong stays as it is', () => {
  expect(describeInvalid(named, { header: 'Host' }, 'body')).toBe(
    'header: this header is not: expected another',
  )
})

test("a schema's own text is used", () => {
  const spec = { name: 'a', provider: 'b', endpoint: 'ftp://c' }
  expect(text(ServiceSpec, spec)).toBe('endpoint: expected an http or https address')
})

test('the part that is no body is named', () => {
  const Query = z.object({ limit: z.coerce.number().check(z.maximum(100)) })
  expect(text(Query, { limit: '500' }, 'query')).toBe(
    'query parameter limit: expected a number of at most 100',
  )
})

test('many issues are counted, not listed', () => {
  const result = text(
    Keys,
    Array.from({ length: 50 }, () => ({})),
  )
  expect(result).toEndWith('; and 45 more')
  expect(result.length).toBeLessThan(400)
})

test('what the caller sent is never repeated', () => {
  const canary = 'canary-9f2c'
  const values = [
    canary,
    { [`${canary}`]: 1 },
    [canary],
    { name: canary.repeat(20) },
    { endpoint: canary },
    { policy: canary },
  ]
  for (const value of values) {
    for (const schema of [Keys, Key, ServiceSpec]) {
      const withoutNames = text(schema, value).replaceAll(/unknown fields? .*/g, '')
      expect(withoutNames).not.toContain(canary)
    }
  }
})

test('names of unknown fields are bounded and harmless', () => {
  const names = [
    'x'.repeat(500),
    'a\r\nb',
    `gak_${'a1'.repeat(19)}`,
    ...Array.from({ length: 50 }, (_, n) => `n${n}`),
  ]
  const result = text(Key, { name: 'a', ...Object.fromEntries(names.map((name) => [name, 1])) })
  expect(result).not.toMatch(/[\r\n]|a1a1/)
  expect(result.length).toBeLessThan(300)
})

test('texts that another module sets for the whole process do not get in', () => {
  const before = z.config()
  try {
    z.config(z.locales.en())
    for (const [value, expected] of cases) expect(text(Keys, value)).toBe(expected)
    expect(text(Keys, [{ name: 'a', rateLimit: 0 }])).toBe('[0].rateLimit: expected a number of at least 1')
    expect(text(ServiceSpec, { name: 'a', provider: 'b', endpoint: 'c' })).toBe(
      'endpoint: expected an http or https address',
    )
  } finally {
    z.config({ ...before, localeError: before.localeError })
  }
})

test('of a union of objects, the one is described whose field is there', () => {
  const schema = z.union([
    z.strictObject({ decision: z.array(z.string()) }),
    z.strictObject({ flapping: z.strictObject({ changes: z.int() }) }),
    z.strictObject({ change: z.literal(true) }),
  ])
  const said = (value: unknown) => text(schema, value)
  expect(said({})).toBe('body: expected one of the fields decision, flapping, change')
  expect(said({ flapping: { changes: 'x' } })).toBe('body: flapping.changes: expected a number')
  expect(said({ decision: 1 })).toBe('body: decision: expected an array')
  expect(said('x')).toBe('body: expected an object')
})
