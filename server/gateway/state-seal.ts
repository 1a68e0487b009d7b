import * as z from 'zod/mini'

import type { Clock } from '../platform/clock.ts'
import type { Vault } from '../platform/vault.ts'

/** The state of a tool call that waits for the client's input, while the client holds it. */
const PendingInput = z.object({
  /** The name of the caller; the state is valid for that caller only. */
  principal: z.string(),
  /** The connection or service, and the tool. */
  call: z.string(),
  /** The tool server's own state, unchanged. */
  state: z.optional(z.string()),
  /** The connection to whose access the owner is asked to agree. */
  consent: z.optional(z.string()),
  /** The expiry in epoch ms. */
  endsAt: z.number(),
})
export type PendingInput = z.infer<typeof PendingInput>

/** Seals the state of a waiting call, so that the client can return it but neither read nor change it. */
export interface StateSeal {
  seal(pendingInput: Omit<PendingInput, 'endsAt'>): string
  /** Opens a sealed state. Throws when this installation did not seal it, or when it has expired. */
  open(sealed: string): PendingInput
}

/** Allows an hour, because people take time to fill in a form. */
const lifeMs = 3_600_000
const place = 'gateway:request-state'

export function createStateSeal(vault: Vault, { now }: Pick<Clock, 'now'>): StateSeal {
  return {
    seal: (pendingInput) => vault.seal(JSON.stringify({ ...pendingInput, endsAt: now() + lifeMs }), place),
    open(sealed) {
      const pendingInput = PendingInput.parse(JSON.parse(vault.open(sealed, place)))
      if (pendingInput.endsAt < now()) throw new RangeError('the state is too old')
      return pendingInput
    },
  }
}
