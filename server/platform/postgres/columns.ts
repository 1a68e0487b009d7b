import { timestamp } from 'drizzle-orm/pg-core'

/** A column for an instant, to the millisecond, as in a Date. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })
