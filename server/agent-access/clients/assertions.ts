import { createHash } from 'node:crypto'

import { type JSONWebKeySet, createLocalJWKSet, errors, jwtVerify } from 'jose'

import type { Clock } from '../../platform/clock.ts'
import { Fault, fault } from '../../platform/fault.ts'
import { clientRefused } from '../oauth-refusal.ts'
import type { AgentClient } from './client.ts'
import type { ClientStore } from './client-store.ts'
import type { DocumentReader } from './read-document.ts'
import { RecentMap } from '../../platform/recent-map.ts'

interface AssertionsOptions {
  readonly store: Pick<ClientStore, 'useAssertion'>
  readonly readDocument: DocumentReader
  readonly clock: Clock
}

type KeySet = ReturnType<typeof createLocalJWKSet>

/** Instants of the monotonic clock; `readAt`: of the latest attempt that succeeded. */
interface ReadKeys {
  readonly set: KeySet | null
  readonly readAt: number
  readonly triedAt: number
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
export const assertionAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA']
const longestSec = 600
const toleranceSec = 30
const keptMs = 300_000
/** How soon keys are read again for one that is not among them, or when they could not be read. */
const againMs = 30_000
/** How long keys count that cannot be read any more. */
const longestUnreadMs = 86_400_000
const maxSets = 200

/**
 * `private_key_jwt` (RFC 7523). Who shows an assertion is held to it; who shows none passes only where the client's
 * document allows that. Throws `OAuthRefusal`; fault: `unavailable` when its keys cannot be read, which proves nothing: clients
 * that are refused throw away what they were granted.
 */
export function createAssertions({ store, readDocument, clock }: AssertionsOptions) {
  const known = new RecentMap<string, ReadKeys>(maxSets)

  /** An attempt that fails is remembered, too, so that strangers cannot make this server ask for keys without end. */
  async function readKeys(uri: string, isAgain: boolean): Promise<ReadKeys> {
    const last = known.get(uri)
    const keptForMs = isAgain || last?.readAt !== last?.triedAt ? againMs : keptMs
    if (last !== undefined && clock.monotonic() - last.triedAt < keptForMs) return last
    const set = keySetOf((await readDocument(uri))?.content)
    const triedAt = clock.monotonic()
    const read =
      set === null
        ? { set: null, readAt: -Infinity, ...known.get(uri), triedAt }
        : { set, readAt: triedAt, triedAt }
    known.set(uri, read)
    return read
  }

  /** Those that were read last, when they cannot be read now; but then nobody knows whether another key is among them. */
  async function keysOf(uri: string, isAgain: boolean): Promise<KeySet> {
    const { set, readAt, triedAt } = await readKeys(uri, isAgain)
    const isTooOld = triedAt - readAt > (isAgain ? 0 : longestUnreadMs)
    if (set !== null && !isTooOld) return set
    throw fault('unavailable', 'The keys of this client cannot be read now: try again in a moment', {
      retryAfterSec: againMs / 1_000,
    })
  }

  async function verified(assertion: string, clientId: string, uri: string, audience: string[]) {
    const options = {
      issuer: clientId,
      subject: clientId,
      audience,
      algorithms: assertionAlgorithms,
      requiredClaims: ['exp', 'jti'],
      clockTolerance: toleranceSec,
      currentDate: new Date(clock.now()),
    }
    try {
      return (await jwtVerify(assertion, await keysOf(uri, false), options)).payload
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      return (await jwtVerify(assertion, await keysOf(uri, true), options)).payload
    }
  }

  /** `audiences`: the issuer and the token address, under each of our names. */
  return async function prove(
    client: AgentClient,
    form: URLSearchParams,
    audiences: string[],
  ): Promise<void> {
    const { methods, jwksUri } = client.proofs
    const assertion = form.get('client_assertion')
    if (assertion === null) {
      // An empty secret is none (RFC 6749, section 2.3.1).
      const hasSecret = (form.get('client_secret') ?? '') !== ''
      if (!methods.includes('none') || hasSecret) throw clientRefused()
      return
    }
    const isOffered =
      form.get('client_assertion_type') === assertionType && methods.includes('private_key_jwt')
    if (!isOffered || jwksUri === null) throw clientRefused()
    const { exp, jti } = await verified(assertion, client.id, jwksUri, audiences).catch((error: unknown) => {
      if (error instanceof Fault) throw error
      return noClaims
    })
    if (exp === undefined || jti === undefined || exp - clock.now() / 1_000 > longestSec)
      throw clientRefused()
    const hash = createHash('sha256').update(`${client.id}\0${jti}`).digest('base64url')
    if (!(await store.useAssertion(hash, exp + toleranceSec * 2))) throw clientRefused()
  }
}

const noClaims: { exp?: number; jti?: string } = {}

function keySetOf(content: unknown): KeySet | null {
  try {
    return createLocalJWKSet(content as JSONWebKeySet)
  } catch {
    return null
  }
}
