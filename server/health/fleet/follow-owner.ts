import type { Deciding } from '../../platform/leases/deciding.ts'
import type { Ownership } from '../../platform/leases/ownership.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import type { SavedHealth } from '../history/store.ts'
import type { FleetParts } from './fleet-parts.ts'
import { readOwnersText } from './messages.ts'

/** Keeps up with what another process observes and decides. */
export interface OwnerFollower {
  /** Answers a request of the owner: with 204, or with 409 and who owns the lease where that is another process by now. */
  receive(body: Uint8Array): Response
  /** For a process that the owner does not reach: publishes what is stored. It is called every second. */
  lookIntoDatabase(): Promise<void>
}

interface OwnerFollowerOptions {
  readonly ownership: Pick<Ownership, 'learn' | 'owner'>
  readonly deciding: Pick<Deciding, 'isDeciding'>
  /** The newest decision on each service that this process knows of. */
  readonly decisions: Map<string, SavedHealth>
  readonly clock: Pick<SteadyClock, 'now'>
  readonly parts: Pick<FleetParts, 'observe' | 'ownerChanged' | 'publish' | 'storedHealths'>
}

/** How often in a row nothing may have been received until the database is asked. */
const quietLooks = 3
/** A decision that is further (ms) in the future was made by a clock that has been corrected since. */
const futureMs = 1_000

export function createOwnerFollower(options: OwnerFollowerOptions): OwnerFollower {
  const { ownership, deciding, decisions, clock, parts } = options
  let looksSinceReceived = quietLooks
  let epoch = 0

  function publish(health: SavedHealth): void {
    decisions.set(health.serviceId, health)
    parts.publish(health)
  }

  function isNews({ serviceId, evaluatedAt, quorumExpiresAt }: SavedHealth, now: number): boolean {
    const known = decisions.get(serviceId)
    const isOlder = known === undefined || known.evaluatedAt < evaluatedAt
    return quorumExpiresAt > now && (isOlder || known.evaluatedAt > now + futureMs)
  }

  return {
    receive(body) {
      const { held, messages } = readOwnersText(new TextDecoder().decode(body))
      if (!ownership.learn(held)) return Response.json(ownership.owner(), { status: 409 })
      if (held.epoch !== epoch) parts.ownerChanged()
      epoch = held.epoch
      looksSinceReceived = 0
      for (const message of messages) {
        if (message.kind === 'report') parts.observe(message)
        else for (const health of message.healths) publish(health)
      }
      return new Response(null, { status: 204 })
    },

    async lookIntoDatabase() {
      if (deciding.isDeciding() || looksSinceReceived++ < quietLooks) return
      const healths = await parts.storedHealths()
      const now = clock.now()
      for (const health of healths) if (isNews(health, now)) publish(health)
    },
  }
}
