import { settingProblems } from '../../shared/call-settings.ts'
import { type Chain, type Family, suitsChain, takesJsonRpc } from '../../shared/chains.ts'
import type { EndpointSpec, UpstreamSpec } from '../../shared/endpoints.ts'
import type { InvalidField } from '../../shared/faults.ts'
import { hasPaths, isPathPattern } from '../../shared/path-pattern.ts'
import { isOnSameHost } from '../platform/same-host.ts'

/** A monitored service that an endpoint can name. */
export interface KnownService {
  readonly id: string
  readonly chain: string | null
  readonly family: Family
  /** May hold credentials. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
}

/** What endpoints refer to. */
export interface References {
  readonly findChain: (key: string) => Chain | undefined
  readonly findService: (id: string) => KnownService | undefined
}

/** Returns the problems in the meaning of a specification; without any it can be activated. */
export function checkEndpoint(spec: EndpointSpec, references: References): InvalidField[] {
  const ofSettings = settingProblems(spec.settings).map(({ path, message }) => ({
    path: ['settings', ...path],
    message,
  }))
  return [...checkRoute(spec, references), ...ofSettings]
}

function checkRoute(spec: EndpointSpec, references: References): InvalidField[] {
  const chain = references.findChain(spec.chain)
  if (chain === undefined) {
    const message = `unknown chain "${spec.chain}"; add it under chains: or use a built-in key`
    return [{ path: ['chain'], message }]
  }
  const isRest = hasPaths(spec.methods)
  if (!isRest && !takesJsonRpc(chain.family)) {
    const message = `"${chain.key}" is of family ${chain.family}, which is not called by JSON-RPC: list paths in methods.allow, such as GET /eth/v1/node/*`
    return [{ path: ['chain'], message }]
  }
  const mixed = isRest ? mixedEntries(spec) : []
  if (mixed.length > 0) return mixed
  const services = spec.upstreams.map(({ service }) => service)
  return spec.upstreams.flatMap((upstream, index) => {
    const isTwice = upstream.service !== undefined && services.indexOf(upstream.service) < index
    const problem = isTwice
      ? { field: 'service', message: 'an upstream of this endpoint already' }
      : checkUpstream(upstream, { ...chain, isRest }, references.findService)
    return problem === null ? [] : [{ path: ['upstreams', index, problem.field], message: problem.message }]
  })
}

interface UpstreamProblem {
  readonly field: 'service' | 'ws' | 'headers'
  readonly message: string
}

function checkUpstream(
  { service: id, ws, headers = {} }: UpstreamSpec,
  chain: Chain & { readonly isRest: boolean },
  findService: References['findService'],
): UpstreamProblem | null {
  if (ws !== undefined && hasCredentials(ws))
    return { field: 'ws', message: 'put user and password into a header: WebSocket addresses carry none' }
  const names = Object.keys(headers).map((name) => name.toLowerCase())
  if (new Set(names).size < names.length) return { field: 'headers', message: 'a header is given twice' }
  if (id === undefined) return null
  const service = findService(id)
  if (service === undefined)
    return { field: 'service', message: `unknown service "${id}"; register it or add it under services:` }
  const message = whyUnfit(service, chain, chain.isRest)
  if (message !== null) return { field: 'service', message }
  if (ws !== undefined && !isOnSameHost(ws, service.endpoint))
    return {
      field: 'ws',
      message: 'must be on the host of the service, as it is sent the headers of the service',
    }
  return null
}

/** An endpoint of paths has nothing else in its lists, and a price for what it allows only. */
function mixedEntries({ methods: { allow, deny }, credits }: EndpointSpec): InvalidField[] {
  const message = 'an endpoint that lists paths, such as GET /eth/v1/node/*, has no methods beside them'
  const inList = (list: 'allow' | 'deny', entries: readonly string[]): InvalidField[] =>
    entries.flatMap((entry, index) =>
      isPathPattern(entry) ? [] : [{ path: ['methods', list, index], message }],
    )
  const general = new Set(['default', 'cached', 'logsPer1000Blocks'])
  const priced = Object.keys(credits).filter((name) => !general.has(name) && !allow.includes(name))
  const unused = priced.map((name) => ({
    path: ['credits', name],
    message: 'is not in methods.allow, whose paths are what has a price',
  }))
  return [...inList('allow', allow), ...inList('deny', deny), ...unused]
}

/** Returns why a service cannot be an upstream for a chain, or null when it can. */
export function whyUnfit(
  service: KnownService,
  chain: Pick<Chain, 'key' | 'family'>,
  isRest: boolean,
): string | null {
  if (isRest && service.family === 'http') return null // plain checks of an address, of no chain
  const suits = isRest ? suitsChain(service.family, chain.family) : service.family === chain.family
  if (!suits) return `"${service.id}" is of family ${service.family}, and not of ${chain.family}`
  if (service.chain !== chain.key)
    return `"${service.id}" is of chain ${service.chain ?? 'none'}, and not of ${chain.key}`
  return null
}

function hasCredentials(address: string): boolean {
  const { username, password } = new URL(address)
  return username !== '' || password !== ''
}
