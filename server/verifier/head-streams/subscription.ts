import * as z from 'zod/mini'

import type { Family } from '../../../shared/chains.ts'
import { parseJson } from '../../platform/json.ts'
import { HexQuantity, NumberQuantity } from '../probes/quantities.ts'

/** What a message of a subscription says. */
export type SubscriptionMessage =
  | { readonly kind: 'subscribed' }
  /** The node has no such subscription, or gives us none. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'head'; readonly height: number }
  | { readonly kind: 'other' }

/** How a family of nodes pushes its new heads. */
export interface HeadSubscription {
  /** The message that subscribes. */
  readonly request: string
  read(text: string): SubscriptionMessage
}

const id = 1
const Answer = z.object({
  id: z.literal(id),
  result: z.optional(z.unknown()),
  error: z.optional(z.unknown()),
})

const EvmHead = z.object({
  method: z.literal('eth_subscription'),
  params: z.object({ result: z.object({ number: HexQuantity }) }),
})
const SolanaHead = z.object({
  method: z.literal('slotNotification'),
  params: z.object({ result: z.object({ slot: NumberQuantity }) }),
})

const subscriptionOf = (
  method: string,
  params: readonly string[],
  heightIn: (message: unknown) => number | undefined,
): HeadSubscription => ({
  request: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
  read(text) {
    const message = parseJson(text)
    const height = heightIn(message)
    if (height !== undefined) return { kind: 'head', height }
    const answer = Answer.safeParse(message).data
    if (answer === undefined) return { kind: 'other' }
    const isRefused = answer.result === undefined || (answer.error !== undefined && answer.error !== null)
    return { kind: isRefused ? 'refused' : 'subscribed' }
  },
})

/** Families that are missing have no such subscription. */
export const headSubscriptions: Readonly<Partial<Record<Family, HeadSubscription>>> = {
  evm: subscriptionOf(
    'eth_subscribe',
    ['newHeads'],
    (message) => EvmHead.safeParse(message).data?.params.result.number,
  ),
  solana: subscriptionOf(
    'slotSubscribe',
    [],
    (message) => SolanaHead.safeParse(message).data?.params.result.slot,
  ),
}
