import { expect, test } from 'bun:test'

import type { ToolPolicy } from '../../shared/tool-policies.ts'
import { policyDraftOf, readPolicyDraft, toolPatternProblem } from './policy-draft.ts'
import { readPolicyTrial, newPolicyTrial } from './policy-trial.ts'

const subject = { level: 'account' } as const
const blank = policyDraftOf(null)

const policy: ToolPolicy = {
  allow: ['get_*', 'mcpservers:github/list_*'],
  deny: ['get_secret'],
  readOnly: true,
  limits: [{ tools: ['get_*'], calls: 10_000, period: 'hour' }],
  prices: [{ tools: ['*'], credits: 5 }],
  credits: { units: 100, period: 'day' },
  arguments: [{ tools: ['transfer'], schema: { properties: { amount: { maximum: 100 } } } }],
}

test('a policy comes back from the form as it was', () => {
  expect(readPolicyDraft(policyDraftOf(policy), subject)).toEqual({
    kind: 'value',
    value: { subject, policy },
  })
})

test('what is left empty is no rule', () => {
  expect(readPolicyDraft(blank, { level: 'key', id: 'key_1' })).toEqual({
    kind: 'value',
    value: {
      subject: { level: 'key', id: 'key_1' },
      policy: { deny: [], readOnly: false, limits: [], prices: [], arguments: [] },
    },
  })
})

test('what is wrong stands at its field', () => {
  const tools = ['send_*']
  const wrong = readPolicyDraft(
    {
      ...blank,
      allow: ['delete_*', 'send_*'],
      deny: ['delete_*'],
      limits: [
        { tools: [], units: '10', period: 'hour' },
        { tools, units: 'ten', period: 'hour' },
        { tools, units: '5', period: 'day' },
        { tools, units: '7', period: 'day' },
      ],
      prices: [{ tools, credits: '1.5' }],
      credits: { source: 'own', units: '0', period: 'day' },
      arguments: [
        { tools, schema: '' },
        { tools, schema: '{"type":' },
        { tools, schema: '[]' },
      ],
    },
    null,
  )
  if (wrong.kind !== 'wrong') throw new Error('it was taken')
  expect(wrong.errors).toMatchObject({
    subject: 'Choose whose calls it is for.',
    'policy.limits[0]': 'Name a tool, or a pattern such as delete_*.',
    'policy.limits[1].calls': 'A whole number from 1 to 1000000000000.',
    'policy.prices[0].credits': 'A whole number from 0 to 1000000.',
    'policy.credits': 'A whole number from 1 to 1000000000000.',
    'policy.arguments[0].schema': 'Enter a JSON Schema that the arguments must fit.',
    'policy.arguments[1].schema': expect.stringContaining('Not JSON'),
    'policy.arguments[2].schema': expect.stringContaining('Expected an object'),
  })
})

test('rules that contradict each other are told where they do', () => {
  const limit = { tools: ['send_*'], units: '5', period: 'day' as const }
  expect(
    readPolicyDraft(
      {
        ...blank,
        allow: ['delete_*'],
        deny: ['delete_*'],
        limits: [limit, limit],
        prices: [{ tools: ['*'], credits: '50' }],
        credits: { source: 'own', units: '10', period: 'day' },
      },
      subject,
    ),
  ).toEqual({
    kind: 'wrong',
    errors: {
      'policy.deny': 'Is allowed too: denying wins, so take it out of one list.',
      'policy.limits[1]': 'Limits the same tools over the same period again.',
      'policy.prices[0].credits': 'Is more than the limit of 10 credits: such a call could never be made.',
    },
  })
})

test.each([
  ['delete_*', null],
  ['mcpservers:github/*', null],
  ['a'.repeat(301), 'expected at most 300 characters'],
])('an entry of a list of tools: %s', (entry, problem) => {
  expect(toolPatternProblem(entry)).toBe(problem)
})

const server = { id: 'con_1', kind: 'saved', serviceId: 'mcpservers:acme' }

test('a call that is tried names the connection where there is one', () => {
  const trial = { ...newPolicyTrial(), tool: ' echo ', args: '{"message": "hi"}', keyId: 'key_1' }
  const common = { serviceId: 'mcpservers:acme', tool: 'echo', keyId: 'key_1', isReadOnly: false }
  expect(readPolicyTrial(trial, server)).toEqual({
    kind: 'value',
    value: { ...common, arguments: { message: 'hi' }, connectionId: 'con_1' },
  })
  expect(readPolicyTrial({ ...trial, args: '' }, { ...server, kind: 'public' })).toEqual({
    kind: 'value',
    value: { ...common, arguments: {} },
  })
  expect(readPolicyTrial({ ...newPolicyTrial(), args: '{' }, undefined)).toEqual({
    kind: 'wrong',
    errors: {
      server: 'Choose a tool server.',
      tool: 'Expected the name of a tool.',
      arguments: expect.stringContaining('Not JSON'),
    },
  })
})
