import * as z from 'zod/mini'

import { ChannelName, type ChannelType } from './alert-channels.ts'
import { idText } from './text.ts'

/** `gathering`: more may join it; `waiting`: it is to be sent, or sent again; `sent`; `dead`: given up after a day. */
export const deliveryStates = ['gathering', 'waiting', 'sent', 'dead'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Which deliveries to list, the newest first. */
export const DeliveryQuery = z.strictObject({
  channel: z.optional(ChannelName),
  state: z.optional(z.enum(deliveryStates)),
  /** `nextCursor` of the page before. */
  cursor: z.optional(z.int().check(z.minimum(1))),
  limit: z._default(z.int().check(z.minimum(1), z.maximum(100)), 50),
})
export type DeliveryQuery = z.infer<typeof DeliveryQuery>

/** One message on its way. Instants are epoch ms. */
export interface DeliveryView {
  /** What receivers see as its id, at each attempt the same. */
  readonly id: string
  /** The name of the channel. */
  readonly channel: string
  /** Null where the channel is gone. */
  readonly type: ChannelType | null
  readonly state: DeliveryState
  /** What it says, in one line. */
  readonly title: string
  /** How many events it has. */
  readonly events: number
  readonly createdAt: number
  readonly attempts: number
  /** Null where no attempt is to come. */
  readonly nextAttemptAt: number | null
  readonly doneAt: number | null
  /** What the last attempt brought, such as `202 accepted`; null before the first. */
  readonly answer: string | null
}

export interface DeliveryAttempt {
  readonly at: number
  readonly ok: boolean
  readonly answer: string
  readonly tookMs: number
}

/** One delivery with every attempt, the oldest first, and what it says. */
export interface DeliveryDetails extends DeliveryView {
  readonly attemptList: readonly DeliveryAttempt[]
  /** The sentences of its events. */
  readonly lines: readonly string[]
}

export interface DeliveryPage {
  readonly deliveries: readonly DeliveryView[]
  /** Null on the last page. */
  readonly nextCursor: number | null
}

export const DeliveryById = z.strictObject({ id: idText(64) })
