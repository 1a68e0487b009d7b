import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { CallMcpToolArguments, ExecuteInput } from '../../shared/gateway.ts'
import { plainToolCall } from './operations/call-mcp-tool.ts'
import { arePlain } from './tool-result.ts'
import { plainExecution } from './tools/execute.ts'

const value = fc.oneof(
  fc.string(),
  fc.string({ maxLength: 300 }),
  fc.dictionary(fc.string(), fc.jsonValue()),
  fc.jsonValue(),
)
const names = [
  'operation',
  'service_id',
  'connection_id',
  'tool_name',
  'arguments',
  'session',
  'chain',
  'other',
]
const given = fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] })

test.each([
  ['execute', ExecuteInput, plainExecution],
  ['call_mcp_tool', CallMcpToolArguments, plainToolCall],
])('what is plain for %s, its schema takes as it is', (_, schema, plain) => {
  fc.assert(
    fc.property(given, (asked) => {
      if (arePlain(asked, plain)) expect(schema.safeParse(asked)).toEqual({ success: true, data: asked })
    }),
  )
})

test('ordinary calls are plain; what a schema may refuse, or has to look at, is not', () => {
  const call = {
    connection_id: 'public::base::mcpservers:lean',
    tool_name: 'echo',
    arguments: { message: 'hi' },
  }
  expect(arePlain({ operation: 'call_mcp_tool', arguments: call }, plainExecution)).toBe(true)
  expect(arePlain(call, plainToolCall)).toBe(true)
  const { tool_name: _, ...nameless } = call
  for (const other of [
    nameless,
    { ...call, chain: 'base' },
    { ...call, tool_name: '' },
    { ...call, tool_name: 'x'.repeat(201) },
    { ...call, tool_name: 'two words' },
    { ...call, arguments: [] },
    { ...call, arguments: null },
    { ...call, connection_id: 7 },
    JSON.parse('{"tool_name":"x","__proto__":{}}'),
    [],
    null,
  ])
    expect([other, arePlain(other, plainToolCall)]).toEqual([other, false])
})
