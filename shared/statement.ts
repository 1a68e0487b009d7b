import * as z from 'zod/mini'

import { ChannelName } from './alert-channels.ts'
import { Month } from './months.ts'
import { idText, matching } from './text.ts'

/** Asks for the statement of a month: what an account used. */
export const StatementQuery = z.strictObject({ month: Month })

/** What an account used in a month of UTC. */
export interface StatementSum {
  readonly account: string
  readonly calls: number
  readonly credits: number
}

export interface StatementAnswer extends Omit<StatementSum, 'account'> {
  readonly month: string
  /** A line for each key, and the sum of all (RFC 4180). */
  readonly csv: string
}

/** Asks which accounts used something in a month, in the order of their ids. */
export const StatementsQuery = z.strictObject({
  month: Month,
  after: z._default(idText(64), ''),
  limit: z._default(z.int().check(z.minimum(1), z.maximum(200)), 50),
})
export type StatementsQuery = z.output<typeof StatementsQuery>

/** Names a statement by its month and its account. */
export const StatementId = matching(
  /^\d{4}-(?:0[1-9]|1[0-2]):[\x21-\x7e]{1,64}$/,
  'a month and the id of an account, such as 2026-01:acc_1',
)

/** Where statements of a month are sent when it is over: names of channels of the type webhook. */
export const StatementsSection = z.strictObject({
  channels: z._default(z.array(ChannelName).check(z.maxLength(20)), []),
})
