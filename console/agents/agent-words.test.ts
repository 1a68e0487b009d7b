import { expect, test } from 'bun:test'

import { answerPlace, askedForIn, scopeReach, whoAsks } from './agent-words.ts'

const named = (...names: string[]) => names.map((name) => ({ id: `con_${name}`, name }))

test.each([
  ['/mcp', [], 'You have no saved connection yet; those of later are included'],
  ['/mcp', ['Linear'], 'With your saved connection: Linear'],
  ['/mcp', ['Linear', 'Notion'], 'With your 2 saved connections: Linear, Notion'],
  ['/mcp', ['a', 'b', 'c', 'd', 'e', 'f', 'g'], 'With your 7 saved connections: a, b, c, d, e, and 2 more'],
  ['/mcp/c/con_Linear', ['Linear', 'Notion'], 'With your connection Linear, and no other'],
  ['/mcp/v/research', ['Linear'], 'With the tools of your virtual server research, and no others'],
  ['/mcp/c/con_other', ['Linear'], 'With one connection that is not yours, so with none'],
])('what calling tools reaches at %s with %p', (resource, names, text) => {
  expect(scopeReach('gateway_use', resource, named(...names))).toBe(text)
})

test('the name that a client gives itself never stands where a verified host does', () => {
  expect(whoAsks({ verifiedHost: 'evil.example', clientName: 'claude.ai' })).toBe('evil.example')
  expect(whoAsks({ verifiedHost: null, clientName: 'claude.ai' })).toBe(
    'A program that calls itself “claude.ai”',
  )
})

test('where the answer goes', () => {
  expect(answerPlace({ host: 'claude.ai', kind: 'site', port: null })).toBe('claude.ai')
  const here = { host: '127.0.0.1', kind: 'this_machine' } as const
  expect(answerPlace({ ...here, port: null })).toBe('a program on this computer')
  expect(answerPlace({ ...here, port: 49_152 })).toBe('a program on this computer, at port 49152')
  expect(answerPlace({ host: 'cursor', kind: 'program', port: null })).toBe('the app cursor')
})

test.each([
  ['redirect_uri=https%3A%2F%2Fclaude.ai.evil.example%2Fback', 'claude.ai.evil.example'],
  ['redirect_uri=https%3A%2F%2Fclaude.ai%40evil.example%2F', 'evil.example'],
  ['redirect_uri=javascript%3Aalert(1)', 'javascript:'],
  ['redirect_uri=nonsense', null],
  ['client_id=x', null],
])('of %s, the answer was to go to %p', (query, place) => {
  expect(askedForIn(query)).toBe(place)
})
