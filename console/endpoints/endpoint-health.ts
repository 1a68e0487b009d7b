import type { EndpointHealth } from '../../shared/endpoints.ts'
import type { Decision } from '../../shared/health.ts'
import type { Tone } from '../ui/tone.ts'

/** What is wrong behind an endpoint, for whoever has a key for it. */
export interface EndpointMark {
  readonly decision: Extract<Decision, 'DOWN' | 'LATENCY'>
  readonly tone: Tone
  /** Such as `1 of 3`, before the decision. */
  readonly share: string
  /** What it means for calls, in a sentence. */
  readonly meaning: string
}

/** Null: nothing is known to be wrong. */
export function endpointMark({ upstreams, down, late }: EndpointHealth): EndpointMark | null {
  if (upstreams > 0 && down === upstreams) {
    return { decision: 'DOWN', tone: 'bad', share: '', meaning: allDown(upstreams) }
  }
  if (down > 0) {
    const meaning = `${howMany(down, upstreams)} DOWN: calls go to the ${upstreams - down === 1 ? 'other' : 'others'}.`
    return { decision: 'DOWN', tone: 'warn', share: `${down} of ${upstreams}`, meaning }
  }
  if (late === 0) return null
  const isEach = late === upstreams
  const meaning = isEach
    ? 'Behind its chain, or slow: answers may be old.'
    : `${howMany(late, upstreams)} behind or slow: calls go to the ${upstreams - late === 1 ? 'other' : 'others'}.`
  return { decision: 'LATENCY', tone: 'warn', share: isEach ? '' : `${late} of ${upstreams}`, meaning }
}

const howMany = (count: number, all: number): string =>
  `${count} of ${all} upstreams ${count === 1 ? 'is' : 'are'}`

const allDown = (count: number): string =>
  count === 1
    ? 'Its only upstream is DOWN: calls are likely to fail.'
    : `All ${count} upstreams are DOWN: calls are likely to fail.`
