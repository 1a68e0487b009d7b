import chains from '../../server/chains/chains.json' with { type: 'json' }
import { type Family, families, isChainless, suitsChain } from '../../shared/chains.ts'
import type { Canaries } from './canaries.ts'
import { reflections } from './reflecting-node.ts'

const policy = { intervalMs: 300, timeoutMs: 250, freshMs: 3_000, downForMs: 0, upForMs: 0 }
const failures = [...reflections, 'tls', 'dns', 'refused'] as const
type Failure = (typeof failures)[number]

/** Where a node fails in this way: `port` is that of one that says again what it is sent. */
export function failingAddress(port: number, failure: Failure, credentials: string, rest: string): string {
  if (failure === 'dns') return `http://${credentials}no-such-node.invalid/${rest}`
  if (failure === 'refused') return `http://${credentials}127.0.0.1:1/${rest}`
  const scheme = failure === 'tls' ? 'https' : 'http'
  return `${scheme}://${credentials}127.0.0.1:${port}/${failure}/${rest}`
}

/** A service of a family whose access is full of secrets, and whose node fails in one way. */
export function secretService(
  by: string,
  family: Family,
  failure: Failure,
  canaries: Canaries,
  port: number,
) {
  const canary = (place: string) => canaries.plant(`${place} of a service of the ${by}`)
  const chain = isChainless(family)
    ? undefined
    : chains.find((known) => suitsChain(family, known.family as Family))?.key
  const rest = `v3/${canary('path')}?apikey=${canary('query')}&x=${canary('other query')}`
  // Credentials before the host become a header, which a header of the service would replace.
  const hasUserinfo = ['bitcoin', 'http'].includes(family)
  const credentials = hasUserinfo ? `${canary('user')}:${canary('password')}@` : ''
  return {
    id: `${by}-${family}-${failure}`,
    name: `${family} ${failure}`,
    family,
    ...(chain && { chain }),
    provider: by,
    endpoint: failingAddress(port, failure, credentials, rest),
    headers: {
      'x-tenant': canary('header'),
      ...(!hasUserinfo && { authorization: `Bearer ${canary('authorization')}` }),
    },
    policy,
  }
}

/** Each family and each failure, though not each pair. */
export const secretServices = (by: string, canaries: Canaries, port: number) =>
  Array.from({ length: Math.max(failures.length, families.length) }, (_, index) =>
    secretService(
      by,
      families[index % families.length] ?? 'http',
      failures[index % failures.length] ?? 'refused',
      canaries,
      port,
    ),
  )
