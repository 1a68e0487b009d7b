import { definedOf } from '../../shared/fields.ts'
import type { EndpointSpec, EndpointUpdate, UpstreamChange, UpstreamSpec } from '../../shared/endpoints.ts'
import type { InvalidField } from '../../shared/faults.ts'
import { withoutNulls } from '../../shared/merge-patch.ts'
import { upstreamIds } from './resolve.ts'

/** The specification after a change, or the problems of the change. */
export type ChangedEndpointSpec =
  | { readonly kind: 'spec'; readonly spec: EndpointSpec }
  | { readonly kind: 'problems'; readonly problems: readonly InvalidField[] }

type ChangedUpstream =
  | { readonly kind: 'upstream'; readonly upstream: UpstreamSpec }
  | { readonly kind: 'problem'; readonly field: string; readonly message: string }

/** Applies a change to a specification. `checkEndpoint` checks the meaning of the result. */
export function changeEndpointSpec(stored: EndpointSpec, change: EndpointUpdate): ChangedEndpointSpec {
  const ids = upstreamIds(stored.upstreams)
  const find = (id: string) => stored.upstreams[ids.indexOf(id)]
  const changed = change.upstreams?.map((upstream) => changeUpstream(upstream, find))
  const problems = (changed ?? []).flatMap((upstream, index): InvalidField[] =>
    upstream.kind === 'upstream'
      ? []
      : [{ path: ['upstreams', index, upstream.field], message: upstream.message }],
  )
  if (problems.length > 0) return { kind: 'problems', problems }
  const upstreams = changed?.flatMap((upstream) => (upstream.kind === 'upstream' ? [upstream.upstream] : []))
  return {
    kind: 'spec',
    spec: {
      name: stored.name,
      chain: change.chain ?? stored.chain,
      upstreams: upstreams ?? stored.upstreams,
      methods: change.methods ?? stored.methods,
      credits: change.credits ?? stored.credits,
      settings: change.settings ?? stored.settings,
    },
  }
}

function changeUpstream(
  change: UpstreamChange,
  find: (id: string) => UpstreamSpec | undefined,
): ChangedUpstream {
  const { keep, service, url, weight } = change
  if (keep === undefined) {
    const ws = change.ws ?? undefined
    const headers = change.headers === undefined ? undefined : withoutNulls(change.headers)
    return {
      kind: 'upstream',
      upstream: { weight, ...definedOf({ service, url, ws, headers }), ...settingsOf(change) },
    }
  }
  const kept = find(keep)
  if (kept === undefined) return { kind: 'problem', field: 'keep', message: 'no upstream of this endpoint' }
  return keptUpstream(kept, change)
}

/** What is left out of a change, or null, is as it is without it. */
const settingsOf = ({ tier, budget, compression }: UpstreamChange) =>
  definedOf({ tier, budget: budget ?? undefined, compression: compression ?? undefined })

/** Keeps addresses and headers that nobody can read again, and never sends a kept header to another address. */
function keptUpstream(kept: UpstreamSpec, change: UpstreamChange): ChangedUpstream {
  if (kept.service !== undefined && (change.url !== undefined || change.headers !== undefined)) {
    return { kind: 'problem', field: 'keep', message: 'a service has its own address and headers' }
  }
  const named = new Set(Object.keys(change.headers ?? {}).map((name) => name.toLowerCase()))
  const keptHeaders = Object.entries(kept.headers ?? {}).filter(([name]) => !named.has(name.toLowerCase()))
  const moved = movedField(kept, change)
  if (keptHeaders.length > 0 && moved !== null) {
    const names = keptHeaders.map(([name]) => name).join(', ')
    const message = `give ${names} again, or null to remove: headers are not sent to another address unasked`
    return { kind: 'problem', field: moved, message }
  }
  const ws = change.ws === undefined ? kept.ws : (change.ws ?? undefined)
  const headers = { ...Object.fromEntries(keptHeaders), ...withoutNulls(change.headers ?? {}) }
  return {
    kind: 'upstream',
    upstream: {
      weight: change.weight,
      ...definedOf({
        service: kept.service,
        url: change.url ?? kept.url,
        ws,
      }),
      ...settingsOf(change),
      ...(Object.keys(headers).length > 0 && { headers }),
    },
  }
}

/** Returns the field whose address has another origin than before, or null. */
function movedField(kept: UpstreamSpec, change: UpstreamChange): 'url' | 'ws' | null {
  if (change.url !== undefined && originOf(change.url) !== originOf(kept.url)) return 'url'
  if (change.ws && originOf(change.ws) !== originOf(kept.ws ?? kept.url?.replace(/^http/, 'ws'))) return 'ws'
  return null
}

const originOf = (address: string | undefined): string | null => {
  if (address === undefined) return null
  const { protocol, host } = new URL(address)
  return `${protocol}//${host}`
}
