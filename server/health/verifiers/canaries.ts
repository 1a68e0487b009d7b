import type { Assignments, Target } from '../../../shared/verifier-protocol.ts'

/** What the installation's file says about canaries. */
export interface CanarySettings {
  /** Hosts of the operator's choice. */
  readonly canaries: readonly string[]
  /** Whether others are asked where there are none. */
  readonly defaultCanaries: boolean
}

/** Root name servers of several operators (IANA's root hints): a, f, k and m. They take TCP from everywhere, on port 53. */
const rootServers = [
  '198.41.0.4:53',
  '192.5.5.241:53',
  '193.0.14.129:53',
  '202.12.27.33:53',
  '[2001:500:2f::f]:53',
  '[2001:7fd::1]:53',
] as const

/** With more, a verifier that is cut off would wait for them in vain. */
const mostAnchors = 8

/** Returns whom verifiers ask whether they are cut off. */
export function canariesOf(
  { canaries, defaultCanaries }: CanarySettings,
  targets: readonly Target[],
): Pick<Assignments, 'canaries' | 'defaultCanaries'> {
  if (canaries.length > 0) return { canaries: [...canaries] }
  return { canaries: [], defaultCanaries: defaultCanaries ? [...rootServers, ...anchorsOf(targets)] : [] }
}

/** Anchors of chains are chosen by the operator. One on the host of a service that is watched could fail together with it. */
function anchorsOf(targets: readonly Target[]): string[] {
  const watched = new Set(
    targets
      .filter(({ hidden }) => !hidden)
      .flatMap(urlOf)
      .map(({ hostname }) => hostname),
  )
  const anchors = targets.filter(({ hidden }) => hidden).flatMap(urlOf)
  const apart = anchors.filter(({ hostname }) => !watched.has(hostname)).map(addressOf)
  return [...new Set(apart)].slice(0, mostAnchors)
}

const urlOf = ({ endpoint }: Target): URL[] => (URL.canParse(endpoint) ? [new URL(endpoint)] : [])

const addressOf = ({ protocol, hostname, port }: URL): string =>
  `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`
