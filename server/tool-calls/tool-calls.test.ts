import { afterAll, beforeAll, expect, test } from 'bun:test'

import { silentLog, testDatabase, type TestDatabase } from '../../scripts/world/database.ts'
import type { FinishedToolCall, ToolCall } from '../connections/connections.ts'
import { createMetrics } from '../platform/metrics.ts'
import { manualClock, removeFolder, temporaryFolder } from '../usage/test-support/usage-under-test.ts'
import { createUsage, type Usage } from '../usage/usage.ts'
import type { RecordedCall } from './call-recorder.ts'
import { keptContent } from './kept-content.ts'
import { createToolCalls, type ToolCalls } from './tool-calls.ts'

const clock = manualClock()
const folder = temporaryFolder()
const accountId = 'acc_own'
let testbed: TestDatabase
let counted: Usage
const written: RecordedCall[] = []
let toolCalls: ToolCalls

beforeAll(async () => {
  testbed = await testDatabase()
  const parts = { database: testbed.database, clock, log: silentLog, metrics: createMetrics() }
  counted = createUsage({ ...parts, tables: 'tool_usage', folder, keysOf: async () => [] })
  toolCalls = createToolCalls({
    ...parts,
    now: clock.now,
    counted,
    namesOf: async () => new Map(),
    written: (calls) => void written.push(...calls),
  })
})
afterAll(async () => {
  await counted?.stop()
  removeFolder(folder)
  await testbed?.drop()
})

const callOf = (tool: string, slug: string, more: Partial<ToolCall> = {}): ToolCall => ({
  door: 'execute',
  accountId,
  keyId: 'key_1',
  sessionId: 'session-that-nobody-may-know',
  connection: { id: 'con_1', kind: 'saved' },
  service: { serviceId: `mcpservers:${slug}`, chain: 'base', name: slug },
  tool,
  arguments: { message: 'hi' },
  contentKeptUntil: null,
  withoutSecret: (value) => value,
  isReadOnly: async () => false,
  ...more,
})

const ended = (of: FinishedToolCall['class'], more: Partial<FinishedToolCall> = {}): FinishedToolCall => ({
  class: of,
  ms: 5,
  bytesSent: 10,
  bytesReceived: 20,
  credits: 0,
  deniedBy: null,
  result: null,
  ...more,
})

const totalsOf = async (slug: string) => {
  const server = `mcpservers:${slug}`
  return (await toolCalls.statistics.table(accountId, { by: 'tool', server })).totals
}

test('credits of a call that failed are given back, and a denied call costs and counts nothing else', async () => {
  const answered = callOf('priced', 'credits')
  toolCalls.begin(answered, 5)
  toolCalls.finished(answered, ended('ok', { credits: 5 }))
  const failed = callOf('priced', 'credits')
  toolCalls.begin(failed, 5)
  toolCalls.finished(failed, ended('timed_out'))
  toolCalls.finished(callOf('priced', 'credits'), ended('denied', { deniedBy: 'calls a period' }))
  toolCalls.begin(callOf('priced', 'credits'), 5)
  expect(await totalsOf('credits')).toMatchObject({
    calls: 4,
    answered: 1,
    toolErrors: 0,
    failed: 1,
    denied: 1,
    underWay: 1,
    credits: 10,
    bytesSent: 20,
    bytesReceived: 40,
  })
  const { calls } = await toolCalls.list(accountId, { server: 'mcpservers:credits' })
  expect(written.map(({ id }) => id)).toEqual(calls.map(({ id }) => id).toReversed())
  expect(calls.map(({ outcome, deniedBy }) => [outcome, deniedBy])).toEqual([
    ['denied', 'calls a period'],
    ['timed_out', null],
    ['ok', null],
  ])
  expect(JSON.stringify(calls)).not.toContain('nobody-may-know')
  expect(new Set(calls.map(({ session }) => session)).size).toBe(1)
})

test('all calls of a busy second are counted, and some are kept, which say for how many they stand', async () => {
  clock.at += 10_000
  for (let made = 0; made < 300; made++) toolCalls.finished(callOf('busy', 'busy'), ended('ok'))
  expect((await totalsOf('busy')).calls).toBe(300)
  const { calls } = await toolCalls.list(accountId, { server: 'mcpservers:busy' })
  expect(calls.length).toBe(48)
  expect(calls.reduce((sum, { weight }) => sum + weight, 0)).toBe(300)
})

test('names that callers invent are counted together, and cannot spoil what is stored', async () => {
  clock.at += 10_000
  for (let made = 0; made < 250; made++)
    toolCalls.finished(callOf(`invented_${made}`, 'invented'), ended('refused'))
  const odd = ['', 'nul\0', '\u202Eevil', 'x'.repeat(5_000), '\uD800', "'); DROP TABLE tool_calls; --"]
  clock.at += 10_000
  for (const name of odd) toolCalls.finished(callOf(name, 'odd'), ended('tool_error'))
  const { rows } = await toolCalls.statistics.table(accountId, { by: 'tool', server: 'mcpservers:invented' })
  expect(rows.length).toBe(201)
  expect(rows[0]).toMatchObject({ tool: 'other', calls: 50, toolErrors: 50 })
  expect((await totalsOf('odd')).calls).toBe(odd.length)
  const { calls } = await toolCalls.list(accountId, { server: 'mcpservers:odd' })
  expect(calls).toHaveLength(odd.length)
  for (const { tool } of calls) expect(tool.length).toBeLessThanOrEqual(128)
})

test('what is kept is without secrets, bounded, and goes after its time; calls go after a week', async () => {
  clock.at += 10_000
  const kept = { contentKeptUntil: clock.at + 1_000 }
  const result = { content: [{ type: 'text', text: '{"api_key":"canary"} and words' }], deep: deepValue(40) }
  toolCalls.finished(callOf('kept', 'kept', kept), ended('ok', { result }))
  clock.at += 2_000
  toolCalls.finished(callOf('late', 'kept', kept), ended('ok', { result }))
  const { calls } = await toolCalls.list(accountId, { server: 'mcpservers:kept' })
  const [late, first] = calls
  if (late === undefined || first === undefined) throw new Error('calls are missing')
  const content = await toolCalls.content(accountId, first)
  expect(content.result).toContain('and words')
  expect(content.result).not.toContain('canary')
  expect(await toolCalls.content(accountId, late)).toMatchObject({ arguments: null, result: null })
  await expect(toolCalls.content('acc_other', first)).rejects.toThrow('There is no such call')

  clock.at += 86_400_000
  await toolCalls.clean()
  const [row] = await testbed.database.run(
    (sql) =>
      sql`SELECT count(*)::int AS kept FROM tool_calls WHERE arguments IS NOT NULL OR result IS NOT NULL`,
  )
  expect(row).toEqual({ kept: 0 })
  clock.at += 8 * 86_400_000
  await toolCalls.clean()
  expect((await toolCalls.list(accountId, {})).calls).toEqual([])
})

test('megabytes of a result are cut before they are looked through', () => {
  const huge = { text: 'a'.repeat(8 << 20), list: Array.from({ length: 100_000 }, () => 'b'.repeat(50)) }
  const begun = performance.now()
  const { result } = keptContent(callOf('huge', 'huge'), { result: huge })
  expect(performance.now() - begun).toBeLessThan(500)
  expect(result?.length).toBeLessThanOrEqual(16_385)
})

const deepValue = (depth: number): unknown => (depth === 0 ? 'end' : { next: deepValue(depth - 1) })
