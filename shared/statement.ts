import * as z from 'zod/mini'

import { Month } from './months.ts'

/** Asks for the statement of a month: what an account used. */
export const StatementQuery = z.strictObject({ month: Month })

export interface StatementAnswer {
  readonly month: string
  /** A line for each key, and the sum of all (RFC 4180). */
  readonly csv: string
}
