import type { FaultReport } from './run.ts'
import type { Occurrence } from './judge.ts'

const seconds = (from: number, to: number | null): string =>
  to === null ? '–' : `${((to - from) / 1000).toFixed(1)} s`

const since = ({ startedAt }: FaultReport, at: number): string => seconds(startedAt, at)

function decidedOf({ expected, decidedAt }: Occurrence, wrong: boolean): string {
  if (expected === 'UP') return wrong ? 'changed' : 'no change'
  return decidedAt === null ? 'missed' : expected
}

/** Returns the run as a Markdown table, with one line of numbers below. */
export function formatReport(report: FaultReport): string {
  /** What went wrong at another time was not of this fault. */
  const isWrong = ({ serviceId, beganAt, recoveredAt }: Occurrence): boolean =>
    report.wrong.some(
      (wrong) =>
        wrong.serviceId === serviceId &&
        wrong.at >= beganAt &&
        wrong.at <= (recoveredAt ?? Number.POSITIVE_INFINITY),
    )
  const rows = report.occurrences.map((one) => [
    one.fault,
    one.family,
    one.expected === 'UP' ? 'no change' : one.expected,
    decidedOf(one, isWrong(one)),
    seconds(one.beganAt, one.decidedAt),
    one.expected === 'UP' ? '–' : seconds(one.endedAt, one.recoveredAt),
  ])
  const ofInstallation = report.installation.map(({ fault, expected, decided, tookSec }) => [
    fault,
    'all',
    expected,
    decided,
    tookSec === null ? '–' : `${tookSec.toFixed(1)} s`,
    '–',
  ])
  const lines = [
    ['Fault', 'Of', 'Expected', 'Decided', 'After', 'UP again after'],
    ['---', '---', '---', '---', '---:', '---:'],
    ...rows,
    ...ofInstallation,
  ].map((cells) => `| ${cells.join(' | ')} |`)
  const falseDown = report.wrong.filter(({ decision }) => decision === 'DOWN').length
  const summary = `${report.services} services of ${report.families} families (real nodes: ${report.real.join(', ')}), ${report.untouched} of them without any fault; ${report.tookSec.toFixed(0)} s. False DOWN: ${falseDown}; other wrong decisions: ${report.wrong.length - falseDown}; missed: ${report.missed.length}.`
  const wrong = report.wrong.map(
    ({ serviceId, decision, at }) => `- wrong: ${serviceId} was ${decision} at ${since(report, at)}`,
  )
  const stalls = report.stalls.map(
    ({ beganAt, endedAt }) =>
      `- the machine had no time for the nodes from ${since(report, beganAt)} to ${since(report, endedAt)}`,
  )
  return [...lines, '', summary, ...wrong, ...stalls].join('\n')
}
