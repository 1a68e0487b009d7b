import * as z from 'zod/mini'

import type { Clock } from '../platform/clock.ts'
import type { Vault } from '../platform/vault.ts'

/** What a tool of others is waiting for, in the client's hands. */
const WaitingCall = z.object({
  /** Of whom: a state is good for its own principal only. */
  principal: z.string(),
  /** Connection or service, and tool. */
  call: z.string(),
  /** The downstream's own state, as it was given. */
  state: z.optional(z.string()),
  /** Epoch ms. */
  endsAt: z.number(),
})
export type WaitingCall = z.infer<typeof WaitingCall>

/** Hands a state to the client so that it can be brought back, and neither read nor altered. */
export interface StateSeal {
  seal(waiting: Omit<WaitingCall, 'endsAt'>): string
  /** Throws when it is not ours, or too old. */
  open(sealed: string): WaitingCall
}

/** People take their time to answer a form. */
const lifeMs = 3_600_000
const place = 'gateway:request-state'

export function createStateSeal(vault: Vault, { now }: Pick<Clock, 'now'>): StateSeal {
  return {
    seal: (waiting) => vault.seal(JSON.stringify({ ...waiting, endsAt: now() + lifeMs }), place),
    open(sealed) {
      const waiting = WaitingCall.parse(JSON.parse(vault.open(sealed, place)))
      if (waiting.endsAt < now()) throw new RangeError('the state is too old')
      return waiting
    },
  }
}
