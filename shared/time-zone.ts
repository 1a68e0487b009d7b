import * as z from 'zod/mini'

import { text } from './text.ts'

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The zone whose days are meant. */
export const TimeZone = text({ max: 64 }).check(
  z.regex(/^[A-Za-z][\w+/-]*$/, 'expected the IANA name of a time zone, such as Europe/Berlin'),
  z.refine(isTimeZone, 'expected the IANA name of a time zone, such as Europe/Berlin'),
  z.meta({
    description: 'whose days are meant, by its IANA name; UTC when not given. Within the last 90 days',
    examples: ['Asia/Kolkata'],
  }),
)
