import type { AlertSubject } from '../../shared/alerts.ts'

export type EventType =
  | 'service.decision_changed'
  | 'service.flapping'
  | 'service.certificate'
  | 'chain.reference_lost'
  | 'verifier.changed'
  | 'installation.changed'
  | 'key.expiring'
  | 'key.limit_used'
  | 'account.limit_used'
  | 'budget.used'
  | 'tools.changed'
  | 'account.changed'
  | 'test'

/** How urgent it is, in the words of PagerDuty. */
export type Severity = 'critical' | 'error' | 'warning' | 'info'

/** What a message tells: an alert fires, still fires, or is resolved. Plain JSON, because it waits in the database. */
export interface AlertEvent {
  readonly type: EventType
  /** Epoch ms of the event itself. */
  readonly at: number
  /** The name of the rule. */
  readonly alert: string
  /** The same from the first message to the resolving one. */
  readonly alertId: string
  readonly status: 'firing' | 'resolved'
  readonly severity: Severity
  /** One sentence for people, without the status. */
  readonly summary: string
  readonly subject: { readonly kind: AlertSubject; readonly id: string; readonly name: string }
  /** Epoch ms since when it is so. */
  readonly since: number
  /** What programs read beside the rest; for services `serviceId`, `name`, `chain`, `provider`, `from`, `to`, `reason`. */
  readonly data: Readonly<Record<string, string | number | null>>
  /** The delivery that told this channel first, under whose id the receiver knows it; null in the first. */
  readonly incident: string | null
  /** Whether nothing else of that delivery is still firing. */
  readonly endsIncident: boolean
  /** What this channel was told of it last; null in the first. Events of earlier snapshots do not have it. */
  readonly toldAs?: AlertIdentity | null
}

/** What may change while an alert lasts, and receivers tell alerts apart by. */
export type AlertIdentity = Pick<AlertEvent, 'severity' | 'subject' | 'data'>

/** What a delivery of a channel holds. */
export interface Notice {
  /** The id of the delivery. */
  readonly id: string
  /** At least one; of several about one alert the last one is what holds. */
  readonly events: readonly AlertEvent[]
  /** Epoch ms when the first of them was told. */
  readonly createdAt: number
}

/** Returns `[DOWN] Node A: …`-like lines for people. */
export const eventLine = ({ status, summary }: AlertEvent): string =>
  `${status === 'firing' ? 'Firing' : 'Resolved'}: ${summary}`

/** Returns what holds of each alert: the last that a notice says of it. */
export const lastOfEach = (events: readonly AlertEvent[]): AlertEvent[] => [
  ...new Map(events.map((event) => [event.alertId, event])).values(),
]

/** Returns in one line what holds after a notice: what fired and was resolved while it waited is resolved. */
export function noticeTitle(events: readonly AlertEvent[]): string {
  const last = lastOfEach(events)
  const [only] = last
  if (only !== undefined && last.length === 1) return eventLine(only)
  const firing = last.filter(({ status }) => status === 'firing').length
  const parts = [
    ...(firing > 0 ? [`${firing} firing`] : []),
    ...(last.length > firing ? [`${last.length - firing} resolved`] : []),
  ]
  return `${last.length} alerts: ${parts.join(', ')}`
}

const worst: readonly Severity[] = ['critical', 'error', 'warning', 'info']

/** Returns the most urgent of them. */
export const worstOf = (events: readonly AlertEvent[]): Severity =>
  worst.find((severity) => events.some((event) => event.severity === severity)) ?? 'info'
