import { describe, expect, test } from 'bun:test'

import { ToolPolicy } from '../../shared/tool-policies.ts'
import { findInvalid } from '../platform/validation-text.ts'
import { refusalOfArguments, refusalOfTool } from './decide.ts'
import { activePolicy } from './policies-in-memory.ts'

const tool = (name: string, serviceId = 'mcpservers:github') => ({ serviceId, tool: name })

/** The rules of several levels for one tool. */
const rulesOf = (named: ReturnType<typeof tool>, ...policies: readonly object[]) =>
  policies.map((policy, place) =>
    activePolicy(place === 0 ? 'account' : 'key', `subject-${place}`, ToolPolicy.parse(policy)).rulesFor(
      named,
    ),
  )

const refusingRule = (named: ReturnType<typeof tool>, ...policies: readonly object[]) =>
  refusalOfTool(rulesOf(named, ...policies), false)?.rule ?? null

describe('which tools may be called', () => {
  test.each([
    ['delete_repo', { deny: ['delete_*'] }, 'account deny'],
    ['Delete_Repo', { deny: ['delete_*'] }, 'account deny'],
    [' delete_repo', { deny: ['delete_*'] }, 'account deny'],
    ['ｄelete_repo', { deny: ['delete_*'] }, 'account deny'],
    ['get_repo', { deny: ['delete_*'] }, null],
    ['get_repo', { deny: ['*_repo'], allow: ['get_*'] }, 'account deny'],
    ['get_repo', { allow: ['get_*'] }, null],
    ['Get_repo', { allow: ['get_*'] }, 'account allow'],
    ['get_repo', { deny: ['mcpservers:github/get_*'] }, 'account deny'],
    ['get_repo', { deny: ['mcpservers:gitlab/get_*'] }, null],
    ['get_repo', { readOnly: true }, 'account readOnly'],
  ])('%p by %p: %p', (name, policy, expected) => {
    expect(refusingRule(tool(name), policy)).toBe(expected)
  })

  test('all levels apply together', () => {
    expect(refusingRule(tool('get_repo'), { allow: ['get_*'] }, { deny: ['get_repo'] })).toBe('key deny')
  })

  test('a server cannot name its tool so that it passes for the tool of another server', () => {
    const named = tool('mcpservers:github/get_repo', 'mcpservers:evil')
    expect(refusingRule(named, { allow: ['mcpservers:github/*'] })).toBe('account allow')
  })

  test('a pattern with many stars is compared in a moment', () => {
    const startedAt = performance.now()
    refusingRule(tool('a'.repeat(256)), { deny: [`${'*a'.repeat(149)}b`] })
    expect(performance.now() - startedAt).toBeLessThan(200)
  })

  test('a refusal says which rule it was, whose, and who can change it', () => {
    const [account, key] = rulesOf(tool('delete_repo'), { deny: ['delete_*'] }, { readOnly: true })
    expect(
      [account, key].flatMap((rules) => (rules ? [refusalOfTool([rules], false)?.message] : [])),
    ).toEqual([
      'This tool is denied by the policy of the account (denied tools: delete_*). The owner of the account can change it in the console: Gateway, Policies.',
      'By the policy of this API key or agent only tools that only read may be called, and this one does not say so: its annotations lack readOnlyHint, or it changed since it was accepted. The owner of the account can change it in the console: Gateway, Policies.',
    ])
  })
})

const argumentRule = (schema: object) => ({ arguments: [{ tools: ['create_*'], schema }] })
const checked = (schema: object, args: Record<string, unknown>): string | null =>
  refusalOfArguments(rulesOf(tool('create_issue'), argumentRule(schema)), args)?.message ?? null

describe('arguments', () => {
  const schema = { properties: { repo: { type: 'string', pattern: '^acme/' } }, required: ['repo'] }

  test('have to fit the schema of every rule that covers the tool', () => {
    expect(checked(schema, { repo: 'acme/site' })).toBeNull()
    expect(checked(schema, { repo: 'evil/site' })).toBe(
      'The arguments do not fit the policy of the account (arguments[0]): /repo must match pattern "^acme/". The owner of the account can change it in the console: Gateway, Policies.',
    )
    expect(checked(schema, {})).toContain("must have required property 'repo'")
    expect(checked({ additionalProperties: false }, { secret_word: 1 })).not.toContain('secret_word')
  })

  test('are checked in linear time, however the pattern invites backtracking', () => {
    const evil = { properties: { repo: { pattern: '^(a+)+$' } } }
    const startedAt = performance.now()
    expect(checked(evil, { repo: `${'a'.repeat(10_000)}!` })).toContain('must match pattern')
    expect(performance.now() - startedAt).toBeLessThan(1_000)
  })

  test.each([
    ['a text', { repo: 'a'.repeat(40_000) }],
    ['many values', { repo: 'a', list: Array.from({ length: 20_000 }, () => 1) }],
  ])('that are too long to be checked are refused: %s', (_, args) => {
    const notAllowed = { properties: { repo: { not: { pattern: 'evil' } } } }
    expect(checked(notAllowed, args)).toContain('are too long to be checked')
  })

  test('what only the prototype has does not count', () => {
    expect(checked({ required: ['constructor'] }, {})).toContain('required property')
  })
})

describe('what is no policy', () => {
  test.each([
    [{ deny: ['a b'] }, 'deny.0'],
    [{ deny: ['*'] }, 'deny'],
    [{ allow: [] }, 'allow'],
    [{ allow: ['get_x'], deny: ['get_x'] }, 'deny.0'],
    [{ deny: ['x'.repeat(301)] }, 'deny.0'],
    [{ credits: { units: 5, period: 'hour' } }, 'credits'],
    [{ credits: { units: 5, period: 'hour' }, prices: [{ tools: ['*'], credits: 6 }] }, 'prices.0.credits'],
    [{ limits: [{ tools: ['a'], calls: 0, period: 'hour' }] }, 'limits.0.calls'],
    [{ limits: [{ tools: ['a'], calls: 1.5, period: 'hour' }] }, 'limits.0.calls'],
    [
      {
        limits: [
          { tools: ['a'], calls: 1, period: 'hour' },
          { tools: ['a'], calls: 2, period: 'hour' },
        ],
      },
      'limits.1',
    ],
    [{ unknown: true }, 'unknown'],
  ])('%j: the field is named', (policy, field) => {
    expect(findInvalid(ToolPolicy, policy).map(({ path }) => path.join('.'))).toContain(field)
  })
})
