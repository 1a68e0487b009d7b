import * as z from 'zod/mini'

import { AlertChannel } from '../../../shared/alert-channels.ts'
import { Decision } from '../../../shared/health.ts'

/** What a process that tells people has to know. */
const Order = z.strictObject({
  /** Of the database. */
  url: z.string(),
  channels: z.array(AlertChannel),
  rules: z.array(z.looseObject({ name: z.string() })),
  decisions: z.record(z.string(), Decision),
  /** Whether it is one of several processes, of which one sends at a time. */
  isOneOfMany: z.boolean(),
  /** From this instant (epoch ms) its clock goes `speed` times as fast: what is gathered for half a minute is not waited for. */
  origin: z.number(),
  speed: z.number(),
})
export type TellingOrder = z.infer<typeof Order>

export const readTellingOrder = (text: string | undefined): TellingOrder =>
  Order.parse(JSON.parse(text ?? ''))
