import { meets } from './benchmark.ts'
import type { Bar, Result, Row } from './benchmark.ts'
import type { Machine } from './machine.ts'
import type { Spread } from './statistics.ts'

/** One benchmark as Markdown. */
export function toMarkdown({ title, rows, notes }: Result): string {
  const lines = rows.map((row) => `| ${cellsOf(row).join(' | ')} |`)
  return [
    `### ${title}`,
    '',
    '| Measured | Median | Min – max | Bar |',
    '|---|---:|---:|---|',
    ...lines,
    '',
    ...notes.map((note) => `- ${note}`),
    '',
  ].join('\n')
}

export const describeMachine = ({ cores, processor, runtime, system, load }: Machine): string =>
  `${cores} cores (${processor}), ${system}, ${runtime}; load average ${load} at the start.\n`

function cellsOf({ measure, unit, value, bar }: Row): string[] {
  const withUnit = (number: number): string => `${format(number)} ${unit}`.trimEnd()
  const range = value.count === 1 ? '–' : `${format(value.min)} – ${format(value.max)} (${value.count})`
  return [measure, withUnit(value.median), range, bar === null ? '' : judge(bar, value, withUnit)]
}

function judge(bar: Bar, value: Spread, withUnit: (number: number) => string): string {
  const sign = bar.kind === 'at least' ? '≥' : '≤'
  return `${sign} ${withUnit(bar.limit)}: ${meets(bar, value) ? 'met' : '**missed**'}`
}

/** Three significant digits, and thousands in groups. */
export function format(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(3)))
}
