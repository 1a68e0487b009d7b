import * as z from 'zod/mini'

import type { Egress } from '../../platform/egress.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { ProviderKey } from './id-token.ts'
import { exchangeJson } from './json-exchange.ts'

/** The signing keys of a provider, from one address that the settings name; a token cannot name another. */
export interface KeySet {
  /** Null when the provider has no such key; `failed` when it could not be asked. */
  find(kid: string): Promise<ProviderKey | null | 'failed'>
}

/** Providers change their keys by the day, and publish a new one before they use it. */
const keysLifeMs = 3_600_000
/** Tokens with invented key ids must not make us ask each time. */
const shortestAskingIntervalMs = 60_000
const maxKeys = 50

const Keys = z.object({ keys: z.array(z.unknown()).check(z.maxLength(maxKeys)) })

export function createKeySet(url: string, egress: Egress, clock: SteadyClock): KeySet {
  let keys = new Map<string, ProviderKey>()
  let readAt = Number.NEGATIVE_INFINITY

  async function read(): Promise<boolean> {
    const answer = await exchangeJson(egress, { url })
    const parsed = answer.kind === 'json' ? z.safeParse(Keys, answer.value) : null
    if (parsed?.success !== true) return false
    keys = new Map(parsed.data.keys.flatMap(readable).map((key) => [key.kid, key]))
    readAt = clock.now()
    return true
  }

  return {
    async find(kid) {
      const age = clock.now() - readAt
      const known = keys.get(kid)
      if (known !== undefined && age < keysLifeMs) return known
      if (known === undefined && age < shortestAskingIntervalMs) return null
      if (!(await read())) return 'failed'
      return keys.get(kid) ?? null
    },
  }
}

/** A provider may publish keys of kinds that we do not know. */
function readable(key: unknown): ProviderKey[] {
  const parsed = z.safeParse(ProviderKey, key)
  return parsed.success ? [parsed.data] : []
}
