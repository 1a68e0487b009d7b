import type { Accounts } from '../accounts/accounts.ts'
import type { ApiKeys } from '../api-keys/api-keys.ts'
import type { Audit } from '../audit/audit.ts'
import type { Connections } from '../connections/connections.ts'
import type { Endpoints } from '../endpoints/endpoints.ts'
import {
  type GlobalSearch,
  type Searcher,
  type SearchSource,
  createGlobalSearch,
  mostOfKind,
} from '../global-search/global-search.ts'
import { type PreparedCandidate, bestOf, prepared } from '../global-search/match.ts'
import type { Health } from '../health/health.ts'
import type { Keys } from '../keys/keys.ts'
import type { StoredKey } from '../keys/stored-key.ts'
import type { Log } from '../platform/log.ts'
import type { QueryKeys } from '../query-keys/query-keys.ts'
import type { Registry } from '../registry/registry.ts'
import type { ServiceName } from '../registry/queries/service-names.ts'
import type { VirtualServers } from '../virtual-servers/virtual-servers.ts'
import type { FoundThing } from '../../shared/global-search.ts'
import { searchLimits } from '../../shared/registry.ts'

interface SearchedDomains {
  readonly accounts: Accounts
  readonly health: Health
  readonly endpoints: Endpoints
  readonly queryKeys: QueryKeys
  readonly apiKeys: ApiKeys
  readonly connections: Connections
  readonly virtualServers: VirtualServers
  readonly audit: Audit
  readonly registry: Registry
}

/** Says what of each domain the palette finds. What only pages for operators show is found by operators alone. */
export function openGlobalSearch(domains: SearchedDomains, log: Log): GlobalSearch {
  const { accounts, health, endpoints, queryKeys, apiKeys, connections, virtualServers, audit, registry } =
    domains
  const services = createServiceCandidates(health)
  return createGlobalSearch(
    {
      service: (text) => bestOf(services(), text, mostOfKind),
      endpoint: ofOperators((text) => bestOf(endpointsOf(endpoints), text, mostOfKind)),
      queryKey: ofKeys(accounts, queryKeys, ({ id, name, hint, endpoint }) => ({
        kind: 'queryKey',
        id,
        title: name,
        detail: `${hint} · ${endpoint}`,
      })),
      apiKey: ofKeys(accounts, apiKeys, ({ id, name, hint }) => ({
        kind: 'apiKey',
        id,
        title: name,
        detail: hint,
      })),
      account: ofOperators(async (text) => {
        const found = await accounts.search(text, mostOfKind)
        return found.map(({ id, name, detail }) => ({ kind: 'account', id, title: name, detail }))
      }),
      connection: ofAccounts(async (text, accountId) =>
        bestOf(await connectionsOf(connections, accountId), text, mostOfKind),
      ),
      virtualServer: ofAccounts((text, accountId) =>
        bestOf(virtualServersOf(virtualServers, accountId), text, mostOfKind),
      ),
      auditSubject: ofOperators(async (text) => {
        const kinds = await audit.subjectKinds(text)
        return kinds.map((kind) => ({
          kind: 'auditSubject',
          id: `${kind}:${text}`,
          title: text,
          detail: `what was done to this ${kind.replaceAll('_', ' ')}`,
        }))
      }),
      registryEntry: createEntrySource(registry),
    },
    log,
  )
}

const ofOperators =
  (search: (text: string) => ReturnType<SearchSource>): SearchSource =>
  (text, { isOperator }) =>
    isOperator ? search(text) : []

/** The command line has no account, and so none of these. */
const ofAccounts =
  (search: (text: string, accountId: string) => ReturnType<SearchSource>): SearchSource =>
  (text, { accountId }) =>
    accountId === null ? [] : search(text, accountId)

/** Operators find the keys of every account, with whose they are; everybody else their own. */
const ofKeys =
  <View>(
    accounts: Pick<Accounts, 'namesOf'>,
    { pageOfAll }: Pick<Keys<StoredKey, View>, 'pageOfAll'>,
    thingOf: (key: View) => FoundThing,
  ): SearchSource =>
  async (text, { accountId: searcher, isOperator }: Searcher) => {
    if (searcher === null && !isOperator) return []
    const part = { search: text, after: null, limit: mostOfKind }
    const { keys } = await pageOfAll({ ...part, accountId: isOperator ? null : searcher })
    const others = keys.map(({ accountId }) => accountId).filter((id) => id !== searcher)
    const names = await accounts.namesOf([...new Set(others)])
    return keys.map(({ accountId, key }) => {
      const thing = thingOf(key)
      if (accountId === searcher) return thing
      return { ...thing, detail: `${thing.detail} · ${names.get(accountId) ?? accountId}`, owner: accountId }
    })
  }

/** Of ten thousand services the names are made ready once for each change of the list, and not at every keystroke. */
function createServiceCandidates(health: Health): () => readonly PreparedCandidate<FoundThing>[] {
  let version: number | null = null
  let candidates: readonly PreparedCandidate<FoundThing>[] = []
  return () => {
    const current = health.services.listVersion()
    if (version !== current) candidates = Array.from(servicesOf(health), prepared)
    version = current
    return candidates
  }
}

function* servicesOf({ services }: Health) {
  for (const { id, name, chain, provider, summary } of services.named()) {
    yield {
      title: name,
      others: [id, chain ?? '', provider],
      thing: (): FoundThing => {
        const { chain: shownChain, decision } = summary()
        return {
          kind: 'service',
          id,
          title: name,
          detail: [shownChain?.name, provider, id].filter((part) => part && part !== name).join(' · '),
          decision,
        }
      },
    }
  }
}

const endpointsOf = ({ management }: Endpoints) =>
  management.list().map(({ name, chain }) => ({
    title: name,
    others: [chain.key, chain.name],
    thing: (): FoundThing => ({ kind: 'endpoint', id: name, title: name, detail: chain.name }),
  }))

async function connectionsOf({ list }: Connections, accountId: string) {
  const saved = await list({ accountId, sessionId: '' }, [])
  return saved.map(({ id, serviceId, name, label, provider }) => ({
    title: label ?? name,
    others: [id, serviceId, name, provider ?? ''],
    thing: (): FoundThing => ({
      kind: 'connection',
      id,
      title: label ?? name,
      detail: label === null ? serviceId : name,
    }),
  }))
}

const virtualServersOf = ({ list }: VirtualServers, accountId: string) =>
  list(accountId).map(({ spec, url }) => ({
    title: spec.name,
    others: [],
    thing: (): FoundThing => ({ kind: 'virtualServer', id: spec.name, title: spec.name, detail: url }),
  }))

type SearchedRegistry = Pick<Registry, 'serviceNames' | 'search'>

/** Names come first: the search of the registry takes words of a name as wishes, such as `public` and `mcp`. */
export function createEntrySource(registry: SearchedRegistry): (text: string) => FoundThing[] {
  const namesOf = createEntryCandidates(registry)
  return (text) => {
    // Of the names of one service only the best is kept, so more are looked at than are wanted.
    const named = eachOnce(bestOf(namesOf(), text, searchLimits.maxLimit))
    const found = named.length < mostOfKind ? eachOnce([...named, ...answersOf(registry, text)]) : named
    return found.slice(0, mostOfKind)
  }
}

/** Made ready once for each registry that becomes active. */
function createEntryCandidates({ serviceNames }: SearchedRegistry) {
  let names: readonly ServiceName[] = []
  let candidates: readonly PreparedCandidate<FoundThing>[] = []
  return () => {
    const current = serviceNames()
    if (names !== current) candidates = current.map(preparedName)
    names = current
    return candidates
  }
}

const preparedName = (name: ServiceName): PreparedCandidate<FoundThing> =>
  prepared({ title: name.title, others: [name.serviceId], thing: () => entryThing(name) })

const entryThing = ({ serviceId, title, provider, category, chain }: ServiceName): FoundThing => ({
  kind: 'registryEntry',
  id: serviceId,
  title,
  detail: [provider, category, chain].filter((part) => part !== null).join(' · '),
  chain,
})

const eachOnce = (things: readonly FoundThing[]): FoundThing[] =>
  things.filter(({ id }, place) => things.findIndex((other) => other.id === id) === place)

/** The search of the registry also finds what is merely like the words; here they have to be there. */
function answersOf(registry: SearchedRegistry, query: string): FoundThing[] {
  const answer = registry.search({ query, limit: searchLimits.maxLimit, offset: 0 })
  if (!answer.ok) return []
  const candidates = answer.value.results.map((result) => ({
    title: result.title,
    others: [result.service_id, result.provider ?? '', result.category, result.chain, result.summary ?? ''],
    thing: () => entryThing({ ...result, serviceId: result.service_id }),
  }))
  return bestOf(candidates, query, mostOfKind)
}
