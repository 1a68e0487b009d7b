import { hourMs } from '../../shared/durations.ts'
import { type ToolCallGroup, toolCallGroups } from '../../shared/tool-calls.ts'
import type { ToolUsageQuestion } from '../../shared/tool-statistics.ts'
import { queryText } from '../address-query.ts'
import type { AddressQuery } from '../address-query.ts'

export const toolCallTabs = [
  { id: 'calls', title: 'Calls' },
  { id: 'statistics', title: 'Statistics' },
] as const

export const toolCallRanges = ['1h', '24h', '7d'] as const
export type ToolCallRange = (typeof toolCallRanges)[number]
export type ToolGrouping = ToolUsageQuestion['by']
const groupings: readonly ToolGrouping[] = ['tool', 'server', 'key', 'account']

/** What the page shows, as it stands in its address; empty texts restrict nothing. */
export interface ToolCallView {
  readonly tab: (typeof toolCallTabs)[number]['id']
  /** `all`, or an account; empty: one's own. */
  readonly account: string
  readonly server: string
  readonly tool: string
  readonly key: string
  readonly group: ToolCallGroup | ''
  readonly range: ToolCallRange
  /** What has a row of its own in the statistics. */
  readonly by: ToolGrouping
}

export const allToolCalls: ToolCallView = {
  tab: 'calls',
  account: '',
  server: '',
  tool: '',
  key: '',
  group: '',
  range: '24h',
  by: 'tool',
}

/** Whatever is not understood restricts nothing. */
export function toolCallViewFromQuery(query: AddressQuery): ToolCallView {
  const text = (name: string, most: number): string => queryText(query, name).slice(0, most)
  return {
    tab: toolCallTabs.find(({ id }) => id === text('tab', 20))?.id ?? allToolCalls.tab,
    account: text('account', 200),
    server: text('server', 128),
    tool: text('tool', 128),
    key: text('key', 64),
    group: toolCallGroups.find((group) => group === text('outcome', 20)) ?? '',
    range: toolCallRanges.find((range) => range === text('range', 5)) ?? allToolCalls.range,
    by: groupings.find((by) => by === text('by', 10)) ?? allToolCalls.by,
  }
}

/** The other way round; what restricts nothing is left out. */
export function toolCallQueryOf(view: ToolCallView): Record<string, string> {
  const { group: outcome, ...others } = view
  const usual: Readonly<Record<string, string>> = { ...allToolCalls, outcome: '' }
  return Object.fromEntries(
    Object.entries({ ...others, outcome }).filter(([name, value]) => value !== usual[name]),
  )
}

export const isToolCallViewFiltered = ({ server, tool, key, group }: ToolCallView): boolean =>
  [server, tool, key, group].some((value) => value !== '')

const rangeMs: Readonly<Record<ToolCallRange, number>> = {
  '1h': hourMs,
  '24h': 24 * hourMs,
  '7d': 168 * hourMs,
}

export const beginOfRange = (range: ToolCallRange, now: number): number => now - rangeMs[range]

/** Whose calls are asked for. */
export const scopeOfView = ({ account }: Pick<ToolCallView, 'account'>) =>
  account === 'all' ? { all: true } : account === '' ? {} : { account }

/** Which of them. */
export const filterOfView = ({ server, tool, key }: Pick<ToolCallView, 'server' | 'tool' | 'key'>) => ({
  ...(server !== '' && { server }),
  ...(tool !== '' && { tool }),
  ...(key !== '' && { keyId: key }),
})
