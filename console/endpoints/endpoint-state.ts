import type { EndpointListItem, UpstreamListItem } from '../../shared/endpoints.ts'
import type { Tone } from '../ui/tone.ts'

/** How well an endpoint can answer, the worst first. */
export const endpointStates = ['broken', 'impaired', 'ready'] as const
export type EndpointState = (typeof endpointStates)[number]

export const endpointStateWords: Readonly<
  Record<EndpointState, { readonly title: string; readonly tone: Tone }>
> = {
  broken: { title: 'Cannot answer', tone: 'bad' },
  impaired: { title: 'Impaired', tone: 'warn' },
  ready: { title: 'Ready', tone: 'ok' },
}

type Judged = Pick<EndpointListItem, 'upstreams' | 'problem'>

const isUsable = ({ outBecause, decision }: UpstreamListItem): boolean =>
  outBecause === null && decision !== 'DOWN'

export function endpointState({ upstreams, problem }: Judged): EndpointState {
  if (!upstreams.some(isUsable)) return 'broken'
  return problem === null && upstreams.every(isUsable) ? 'ready' : 'impaired'
}

/** Why it is in its state, in a sentence; empty when all is well. */
export function stateReason({ upstreams, problem }: Judged): string {
  if (problem !== null) return `${problem}.`
  const down = upstreams.filter(({ decision }) => decision === 'DOWN').length
  if (down === 0) return ''
  if (down === upstreams.length)
    return down === 1 ? 'Its only upstream is DOWN.' : `All ${down} upstreams are DOWN.`
  return down === 1
    ? `1 of ${upstreams.length} upstreams is DOWN: calls go to the rest.`
    : `${down} of ${upstreams.length} upstreams are DOWN: calls go to the rest.`
}
