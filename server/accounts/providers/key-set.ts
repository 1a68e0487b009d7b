import { type JWTVerifyGetKey, createRemoteJWKSet, customFetch, errors } from 'jose'

import type { Egress } from '../../platform/egress.ts'
import { exchangeJson } from './json-exchange.ts'

/** Providers change their keys by the day, and publish a new one before they use it. */
const keysLifeMs = 3_600_000
/** Tokens with invented key ids must not make us ask each time. */
const shortestAskingIntervalMs = 60_000

/** The signing keys of a provider, from one address that the settings name; a token cannot name another. */
export const createKeySet = (url: string, egress: Egress): JWTVerifyGetKey =>
  createRemoteJWKSet(new URL(url), {
    cacheMaxAge: keysLifeMs,
    cooldownDuration: shortestAskingIntervalMs,
    // Through the address guard, with its limits of time and size.
    async [customFetch](address) {
      const answer = await exchangeJson(egress, { url: address })
      if (answer.kind === 'failed') throw new errors.JOSEError(answer.detail)
      return Response.json(answer.value)
    },
  })
