import { expect, test } from 'bun:test'

import { ToolPolicy } from '../../shared/tool-policies.ts'
import { redactFields } from '../audit/redact-fields.ts'
import { auditedPolicy } from './audited-policy.ts'

const entryOf = (...schemas: object[]) => {
  const rules = schemas.map((schema) => ({ tools: ['pay'], schema }))
  return redactFields(auditedPolicy({ accountId: 'acc_1', policy: ToolPolicy.parse({ arguments: rules }) }))
}

test.each([
  ['of an argument named token', { properties: { token: { enum: ['USDC'] } } }, '"enum":["USDC"]'],
  [
    'of what lies deep',
    { properties: { orders: { items: { properties: { amount: { maximum: 7 } } } } } },
    '"maximum":7',
  ],
])('the audit log keeps what a policy says %s', (_, schema, words) => {
  expect(entryOf(schema)['arguments']).toMatchObject([
    { tools: ['pay'], schema: expect.stringContaining(words) },
  ])
})

test('twenty long schemas fit into an entry, and none is changed without a sign of it', () => {
  const entries = ['a', 'b'].map((last) => {
    const schema = { properties: { note: { enum: ['x'.repeat(7_000), last] } } }
    return entryOf(...Array.from({ length: 20 }, () => schema))
  })
  expect(entries[0]?.['arguments']).toHaveLength(20)
  expect(entries[0]).not.toEqual(entries[1])
})
