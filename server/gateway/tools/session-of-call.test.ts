import { expect, test } from 'bun:test'

import { sessionNamedIn, sessionOfArguments } from './session-of-call.ts'

const call = (args: unknown) => ({ method: 'tools/call', params: { name: 'execute', arguments: args } })

test('a call names a session in its arguments, or in those of its operation', () => {
  expect(sessionNamedIn(call({ session: 's-1' }))).toBe('s-1')
  expect(sessionNamedIn(call({ arguments: { session: 's-2' } }))).toBe('s-2')
  // As `call_tool` of a virtual server calls `execute`.
  expect(sessionNamedIn(call({ arguments: { arguments: { session: 's-3' } } }))).toBe('s-3')
  expect(sessionNamedIn({ ...call({ session: 's-1' }), method: 'tools/list' })).toBeNull()
})

test('a list names none, wherever it stands', () => {
  expect(sessionNamedIn([call({ session: 's-1' })])).toBeNull()
  expect(sessionNamedIn({ method: 'tools/call', params: [{ session: 's-1' }] })).toBeNull()
  expect(sessionOfArguments([{ session: 's-1' }])).toBeNull()
  expect(sessionOfArguments({ arguments: [{ session: 's-1' }] })).toBeNull()
})
