import * as z from 'zod/mini'

import { dayMs, hourMs, minuteMs, secondMs } from './durations.ts'
import { Instant } from './instants.ts'
import { ServiceSelector } from './alert-services.ts'
import { idText, matching, nameText, remark } from './text.ts'
import { TimeZone } from './time-zone.ts'
import { Decision } from './health.ts'

const unitMs = { s: secondMs, m: minuteMs, h: hourMs, d: dayMs } as const

/** A length of time as people write it, such as `0s`, `90s`, `10m`, `4h` or `14d`. */
export const DurationText = matching(
  /^\d{1,6}[smhd]$/,
  'expected a length of time such as 90s, 10m, 4h or 14d',
).check(
  z.refine((text) => durationMs(text) <= 400 * dayMs, 'expected at most 400d'),
  z.meta({ examples: ['10m'] }),
)

/** Returns the milliseconds of a `DurationText`. */
export function durationMs(text: string): number {
  const unit = text.at(-1) as keyof typeof unitMs
  return Number(text.slice(0, -1)) * unitMs[unit]
}

/** An hour and a minute of a day, such as `22:00`. */
const TimeOfDay = matching(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'expected a time of day such as 22:00')

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const Weekdays = z.array(z.enum(weekdays)).check(
  z.minLength(1),
  z.maxLength(7),
  z.refine((days) => new Set(days).size === days.length, 'expected no day twice'),
)

/**
 * A span that comes again: from one time of day to another in a zone, on these days or on all. Where `to` is not after `from` it
 * ends on the next day, which need not be one of the days.
 */
export const DailySpan = z.strictObject({
  from: TimeOfDay,
  to: TimeOfDay,
  zone: z._default(TimeZone, 'UTC'),
  days: z.optional(Weekdays),
})
export type DailySpan = z.infer<typeof DailySpan>

/** A span of time with a beginning and an end; epoch ms, or RFC 3339 on the way in. */
const OneSpan = z
  .strictObject({ from: Instant, to: Instant })
  .check(z.refine(({ from, to }) => from < to, { path: ['to'], message: 'expected an instant after from' }))

/** Work that is planned: alerts about these services are held back meanwhile. Either once, or again and again. */
export const MaintenanceWindow = z
  .strictObject({
    name: nameText(100),
    services: z.optional(ServiceSelector), // all when left out
    reason: z._default(remark(500), ''),
    once: z.optional(OneSpan),
    every: z.optional(DailySpan),
  })
  .check(
    z.refine(({ once, every }) => (once === undefined) !== (every === undefined), {
      path: ['once'],
      message: 'expected either once or every',
    }),
  )
export type MaintenanceWindow = z.infer<typeof MaintenanceWindow>

/** A planned maintenance, as it is listed. */
export interface MaintenanceView extends MaintenanceWindow {
  readonly managedBy: 'file' | 'operator'
  readonly isUnderWay: boolean
  /** The next beginning, or that of what is under way (epoch ms); null where it is over for good. */
  readonly startsAt: number | null
  /** When what is under way, or comes next, ends (epoch ms). */
  readonly endsAt: number | null
}

export const MaintenanceByName = z.strictObject({ name: nameText(100) })

/** Alerts that are not told to anybody for a while: those of one rule, or about these services, or with these decisions. */
export const SilenceForm = z.strictObject({
  rule: z.optional(nameText(100)),
  services: z.optional(ServiceSelector),
  decisions: z.optional(z.array(Decision).check(z.minLength(1), z.maxLength(4))),
  until: Instant,
  reason: z._default(remark(500), ''),
})
export type SilenceForm = z.infer<typeof SilenceForm>

/** A silence, as it is stored and listed. Instants are epoch ms. */
export interface AlertSilence extends SilenceForm {
  readonly id: string
  readonly createdAt: number
  /** Who made it, as the audit log calls them. */
  readonly createdBy: string
}

export const SilenceById = z.strictObject({ id: idText(64) })
