import type { IncidentStage } from '../../shared/status-pages.ts'
import { dayMs, hourMs, minuteMs } from '../../shared/durations.ts'
import type { PageModel, ShownIncident, ShownService, ShownState } from './shown-page.ts'

/** The words of public pages. All times are in UTC. */

export const stateWords: Readonly<Record<ShownState, string>> = {
  working: 'Working',
  behind: 'Behind',
  slow: 'Slow',
  down: 'Down',
  unknown: 'Unknown',
  maintenance: 'Maintenance',
}

export const stageWords: Readonly<Record<IncidentStage, string>> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
  planned: 'Planned',
  under_way: 'Under way',
  completed: 'Completed',
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** `22 Nov`. */
export function utcDayText(at: number): string {
  const date = new Date(at)
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]}`
}

/** `22 Nov`, `19 to 22 Nov`, `30 Oct to 2 Nov`. */
export function daysText(from: number, to: number): string {
  const [first, last] = [utcDayText(from), utcDayText(to)]
  if (first === last) return last
  const isSameMonth = first.split(' ')[1] === last.split(' ')[1]
  return `${isSameMonth ? first.split(' ')[0] : first} to ${last}`
}

/** `12:06`. */
export function timeText(at: number): string {
  const date = new Date(at)
  return `${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}`
}

const isSameDay = (one: number, other: number): boolean =>
  Math.floor(one / dayMs) === Math.floor(other / dayMs)

/** A day without a year is read as the nearest one of that name, which is never farther away. */
const halfYearMs = 182 * dayMs

/** `12:06` of today, `22 Nov, 12:06` of other days, `22 Nov 2027, 12:06` of those more than half a year away. */
export function momentText(at: number, now: number): string {
  if (isSameDay(at, now)) return timeText(at)
  const year = Math.abs(at - now) > halfYearMs ? ` ${new Date(at).getUTCFullYear()}` : ''
  return `${utcDayText(at)}${year}, ${timeText(at)}`
}

/** `38 min`, `5 h 10 min`, `3 days`. */
export function lengthText(ms: number): string {
  if (ms < hourMs) return `${Math.max(1, Math.floor(ms / minuteMs))} min`
  if (ms < 2 * dayMs) {
    const minutes = Math.floor((ms % hourMs) / minuteMs)
    return `${Math.floor(ms / hourMs)} h${minutes === 0 ? '' : ` ${minutes} min`}`
  }
  return `${Math.floor(ms / dayMs)} days`
}

/** Rounded down, so that 100% means that nothing was missed. */
export const percentText = (share: number): string =>
  share >= 1 ? '100%' : `${(Math.floor(share * 10_000) / 100).toFixed(2)}%`

export function responseText({ state, responseMs }: ShownService): string {
  if (state === 'down') return 'no answer'
  return responseMs === null ? '' : `${Math.max(1, Math.round(responseMs))} ms`
}

/** What stands below the bar: where it begins, and the share with what it is of. */
export function barWords({ days, availability, watchedMs }: ShownService, now: number) {
  const first = days.findIndex((day) => day !== 'none')
  const watchedDays = Math.round(watchedMs / dayMs)
  const isWhole = first === 0
  const since = now - (days.length - 1 - first) * dayMs
  const share =
    availability === null
      ? 'not watched yet'
      : isWhole
        ? `${percentText(availability)} up`
        : `${percentText(availability)} of ${watchedDays < 2 ? lengthText(watchedMs) : `${watchedDays} days`} watched`
  return {
    begin: isWhole || first === -1 ? `${days.length} days ago` : `watched since ${utcDayText(since)}`,
    share,
  }
}

/** How an incident that goes on stands: `Down for 38 min`, `Until 14:00 UTC`, `From 23 Nov, 08:00 UTC`. */
export function standing({ state, startsAt, endsAt }: ShownIncident, now: number): string {
  if (state === 'maintenance') {
    if (startsAt > now) return `From ${momentText(startsAt, now)} UTC`
    return endsAt === null || endsAt <= now ? 'Under way' : `Until ${momentText(endsAt, now)} UTC`
  }
  const word = state === 'working' ? 'Open' : stateWords[state]
  return `${word} for ${lengthText(now - startsAt)}`
}

const numbers = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'Eleven', 'Twelve'] // prettier-ignore
const numberText = (count: number): string => numbers[count] ?? String(count)

export interface Overall {
  readonly state: ShownState
  readonly text: string
}

const isOne = (part: number): boolean => part === 1

/** What a visitor wants to know first. */
export function overallOf({ groups, now }: Pick<PageModel, 'groups' | 'now'>): Overall {
  const services = groups.flatMap((group) => group.services)
  const count = (...states: ShownState[]): number =>
    services.filter(({ state }) => states.includes(state)).length
  const of = (part: number): string =>
    services.length === 1
      ? 'The service'
      : part === services.length
        ? `All ${numberText(part).toLowerCase()} services`
        : `${numberText(part)} of ${numberText(services.length).toLowerCase()} services`
  const [down, late] = [count('down'), count('behind', 'slow')]
  const bad = down + late
  if (bad > 0)
    return {
      state: down > 0 ? 'down' : 'behind',
      text: `${of(bad)} ${isOne(bad) ? 'has' : 'have'} problems`,
    }
  if (now.length > 0) return { state: 'behind', text: 'There is an open incident' }
  const [unknown, work] = [count('unknown'), count('maintenance')]
  if (unknown > 0)
    return {
      state: 'unknown',
      text: `${of(unknown)} ${isOne(unknown) ? 'is' : 'are'} not watched at the moment`,
    }
  if (work > 0)
    return { state: 'maintenance', text: `${of(work)} ${isOne(work) ? 'is' : 'are'} under maintenance` }
  return {
    state: 'working',
    text: services.length === 1 ? 'The service is working' : 'All services are working',
  }
}
