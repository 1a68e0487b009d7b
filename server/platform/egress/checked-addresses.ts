import { lookup } from 'node:dns/promises'

import type { Clock } from '../clock.ts'
import type { AddressPolicy } from './address-policy.ts'
import { untilAborted, withinDeadline } from '../deadline.ts'
import { RecentMap } from '../recent-map.ts'
import type { Cutoff } from './cutoff.ts'
import { EgressError } from './failure.ts'
import type { EgressTarget } from './target.ts'

/** All addresses of a name; empty or a rejection when it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** The result of a look-up. The policy is not applied yet: what it lets through may change before the next look-up. */
type Resolution = { ok: true; addresses: readonly string[] } | { ok: false; code: 'DNS' | 'DNS_TIMEOUT' }

/** Short enough that a name which moves is followed, long enough that exchanges in a row need one look-up. */
const positiveTtlMs = 5_000
const negativeTtlMs = 1_000
const maxNames = 2_000

export interface CheckedAddresses {
  /**
   * Where a target may be dialled; at once for an address or a name looked up a moment ago.
   * @throws EgressError `ADDRESS`, `DNS`, `DNS_TIMEOUT`, or what cut the exchange short
   */
  of(target: EgressTarget, exchange: Pick<Cutoff, 'signal'>): Promise<readonly string[]>
}

interface CheckedAddressesDeps {
  resolve: Resolve
  mayReach: AddressPolicy
  clock: Clock
  timeoutMs: number
}

/** Turns targets into addresses that pass the policy now, and keeps those of names for a few seconds. */
export function createCheckedAddresses(deps: CheckedAddressesDeps): CheckedAddresses {
  const entries = new RecentMap<string, { resolution: Resolution; staleAt: number }>(maxNames)
  const pending = new Map<string, Promise<Resolution>>()

  function fresh(host: string): Resolution | undefined {
    const entry = entries.get(host)
    return entry !== undefined && entry.staleAt > deps.clock.monotonic() ? entry.resolution : undefined
  }

  function keep(host: string, resolution: Resolution): void {
    const isGood = resolution.ok && resolution.addresses.every(deps.mayReach)
    const ttlMs = isGood ? positiveTtlMs : negativeTtlMs
    entries.set(host, { resolution, staleAt: deps.clock.monotonic() + ttlMs })
  }

  async function resolveAndKeep(host: string): Promise<Resolution> {
    const resolution = await lookUp(host, deps)
    keep(host, resolution)
    pending.delete(host)
    return resolution
  }

  /** Those who ask for one name at the same time share one look-up. */
  function resolveOnce(host: string): Promise<Resolution> {
    const running = pending.get(host) ?? resolveAndKeep(host)
    pending.set(host, running)
    return running
  }

  return {
    async of({ host, hostIsAddress }, exchange) {
      if (hostIsAddress) {
        if (!deps.mayReach(host)) throw new EgressError('ADDRESS')
        return [host]
      }
      const resolution = fresh(host) ?? (await untilAborted(resolveOnce(host), exchange.signal))
      if (!resolution.ok) throw new EgressError(resolution.code)
      // One bad address refuses the whole name: picking the good ones would leave the choice to the attacker's
      // next answer.
      if (!resolution.addresses.every(deps.mayReach)) throw new EgressError('ADDRESS')
      return resolution.addresses
    },
  }
}

/** The operating system's resolver, in the order it prefers. */
export const systemResolve: Resolve = async (host) => {
  const answers = await lookup(host, { all: true, order: 'verbatim' })
  return answers.map((answer) => answer.address)
}

async function lookUp(host: string, deps: CheckedAddressesDeps): Promise<Resolution> {
  try {
    const addresses = await withinDeadline(deps.resolve(host), deps.timeoutMs, dnsTimedOut)
    return addresses.length === 0 ? { ok: false, code: 'DNS' } : { ok: true, addresses }
  } catch (error) {
    return { ok: false, code: error instanceof EgressError ? 'DNS_TIMEOUT' : 'DNS' }
  }
}

const dnsTimedOut = (): EgressError => new EgressError('DNS_TIMEOUT')
