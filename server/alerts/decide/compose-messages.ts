import { secondMs } from '../../../shared/durations.ts'
import { type DailySpan } from '../../../shared/alert-times.ts'
import { type AlertEvent, noticeTitle } from '../alert-event.ts'
import type { NewDelivery } from '../outbox/outbox-store.ts'
import type { AlertNotification } from './decide.ts'
import type { OpenAlert } from './open-alert.ts'
import { quietUntil } from './spans.ts'

/** What is on at a channel. Instants are epoch ms. */
export interface Group {
  /** Until then whatever follows a message is gathered. */
  readonly openUntil: number
  /** The delivery that gathers, and until when. */
  readonly gathering: { readonly id: string; readonly closesAt: number } | null
}

interface Composing {
  readonly now: number
  readonly groups: ReadonlyMap<string, Group>
  /** All that is open after what is told. */
  readonly alerts: ReadonlyMap<string, OpenAlert>
  readonly quietHoursOf: (channel: string) => DailySpan | undefined
  readonly newId: () => string
}

/** What is to be stored. */
export interface Composed {
  readonly inserts: readonly NewDelivery[]
  readonly appends: readonly Appended[]
  /** Ids of the deliveries that have gathered long enough. */
  readonly closes: readonly string[]
  readonly groups: ReadonlyMap<string, Group>
  /** As given, with the deliveries that told them first. */
  readonly alerts: ReadonlyMap<string, OpenAlert>
}

interface Appended {
  readonly id: string
  readonly events: readonly AlertEvent[]
  readonly subjects: readonly string[]
}

/** A little less than the half minute within which a gathered message stands at its receiver. */
const gatherMs = 28 * secondMs

/**
 * Makes messages of what is told: what is told to a channel at once is one message, which goes out immediately; what follows
 * within half a minute is gathered into one more, and so on while something follows. In quiet hours all is gathered until their
 * end. Pure.
 */
export function composeMessages(told: readonly AlertNotification[], composing: Composing): Composed {
  const { now, newId, quietHoursOf } = composing
  const groups = new Map(composing.groups)
  const alerts = new Map(composing.alerts)
  const closes = closeGathered(groups, composing)
  const inserts: NewDelivery[] = []
  const appends: Appended[] = []
  for (const [channel, ofChannel] of Map.groupBy(told, (one) => one.channel)) {
    const group = groups.get(channel) ?? { openUntil: now, gathering: null }
    const quiet = quietUntil(quietHoursOf(channel), now)
    const closesAt = quiet ?? (isAhead(group.openUntil, now) ? group.openUntil : null)
    const id = group.gathering?.id ?? newId()
    const events = ofChannel.map((one) => eventFor(one, id, alerts))
    const subjects = subjectsOf(channel, ofChannel)
    if (group.gathering !== null) appends.push({ id, events, subjects })
    else {
      const content = { kind: 'notice', events } as const
      const state = closesAt === null ? 'waiting' : 'gathering'
      const times = { nextAt: closesAt ?? now, createdAt: now }
      inserts.push({
        id,
        channel,
        target: null,
        subjects,
        content,
        title: noticeTitle(events),
        state,
        ...times,
      })
    }
    if (closesAt === null && group.gathering === null)
      groups.set(channel, { openUntil: now + gatherMs, gathering: null })
    else if (group.gathering === null && closesAt !== null)
      groups.set(channel, { ...group, gathering: { id, closesAt } })
  }
  return { inserts, appends, closes, groups, alerts }
}

/** Whether an end of gathering is to come. One that is further ahead is of a clock that was set back since. */
const isAhead = (endsAt: number, now: number): boolean => now < endsAt && endsAt <= now + gatherMs

/** Closes what has gathered long enough, or in quiet hours that are no more; what follows it is gathered again. */
function closeGathered(
  groups: Map<string, Group>,
  { now, quietHoursOf }: Pick<Composing, 'now' | 'quietHoursOf'>,
): string[] {
  const closes: string[] = []
  for (const [channel, { gathering }] of groups) {
    if (gathering === null || isAhead(gathering.closesAt, now)) continue
    if (now < gathering.closesAt && quietUntil(quietHoursOf(channel), now) !== null) continue
    closes.push(gathering.id)
    groups.set(channel, { openUntil: now + gatherMs, gathering: null })
  }
  return closes
}

/** Order is kept for each alert at each channel. */
const subjectsOf = (channel: string, told: readonly AlertNotification[]): string[] => [
  ...new Set(told.map(({ alert }) => `${channel}\n${alert.id}`)),
]

/** Notes which delivery told an alert first, and as what it was told last, or says of which delivery it is the end. */
function eventFor(
  { channel, key, alert, event }: AlertNotification,
  delivery: string,
  alerts: Map<string, OpenAlert>,
): AlertEvent {
  const open = alerts.get(key)
  const { incidents, toldAs } = open ?? alert
  const incident = incidents[channel] ?? null
  const before = toldAs[channel] ?? null
  if (event.status === 'firing') {
    const { severity, subject, data, at } = event
    if (open !== undefined)
      alerts.set(key, {
        ...open,
        incidents: { ...incidents, [channel]: incident ?? delivery },
        toldAs: { ...toldAs, [channel]: { severity, subject, data, at } },
      })
    return { ...event, incident, endsIncident: false, toldAs: before }
  }
  const isOthers = [...alerts.values()].some(
    (other) => other.id !== alert.id && other.incidents[channel] === incident,
  )
  return { ...event, incident, endsIncident: incident !== null && !isOthers, toldAs: before }
}
