import type { Accounts } from '../accounts/accounts.ts'
import { networkOf } from '../accounts/network.ts'
import type { SlowFacts } from '../alerts/alerts.ts'
import type { AlertRule, MonthBudget } from '../../shared/alerts.ts'
import type { ApiKeys } from '../api-keys/api-keys.ts'
import type { Audit } from '../audit/audit.ts'
import type { Connections } from '../connections/connections.ts'
import type { Health } from '../health/health.ts'
import type { Limits } from '../limits/limits.ts'
import type { QueryKeys } from '../query-keys/query-keys.ts'
import type { Usage } from '../usage/usage.ts'
import { dayMs, minuteMs } from '../../shared/durations.ts'

/** What rules look at beside services. All but health exist later than alerts. */
interface FactSources {
  readonly accounts: Pick<Accounts, 'operators' | 'namesOf'>
  readonly apiKeys: Pick<ApiKeys, 'ending'>
  readonly queryKeys: Pick<QueryKeys, 'ending' | 'usedLimits'>
  readonly connections: Pick<Connections, 'changedConnections'> & {
    readonly toolServers: Pick<Connections['toolServers'], 'list'>
  }
  readonly audit: Pick<Audit, 'list'>
  readonly limits: Pick<Limits, 'isStoreReady' | 'storeFailure'>
  readonly usage: Pick<Usage, 'failingSince' | 'accountSums'>
}

type ReadFacts = Pick<SlowFacts, 'endingKeys' | 'usedLimits' | 'changedTools' | 'accountEvents'>

const readEveryMs = minuteMs
/** Sums of a month go through every account that called something. */
const sumEveryMs = 5 * minuteMs
/** As far ahead as a rule may look. */
const aheadMs = 400 * dayMs
const mostKeys = 1_000
const nothingRead: ReadFacts = { endingKeys: [], usedLimits: [], changedTools: [], accountEvents: [] }

/** Gathers what rules look at: what is in memory at each look, the rest from the database once a minute. */
export function createAlertFacts(
  health: { readonly verifiers: Pick<Health['verifiers'], 'list'> },
  now: () => number,
) {
  let sources: FactSources | null = null
  let read = nothingRead
  let readAt = Number.NEGATIVE_INFINITY
  let limitsAwaySince: number | null = null
  let summed: { readonly of: string; readonly at: number; readonly uses: SlowFacts['budgetUses'] } | null =
    null

  /** Of this process, which is one that decides: others tell of theirs when they do. */
  function troubles({ limits, usage }: FactSources): SlowFacts['troubles'] {
    limitsAwaySince = limits.isStoreReady() ? null : (limitsAwaySince ?? now())
    const { writing, rollingUp } = usage.failingSince()
    const reason = limits.storeFailure()?.reason
    return [
      ...(limitsAwaySince === null
        ? []
        : [
            {
              kind: 'limits' as const,
              since: limitsAwaySince,
              text: `The store of the limits is away, and most calls are refused${reason === undefined ? '' : `: ${reason}`}`,
            },
          ]),
      ...troubleOfUsage(writing, 'Counts of calls wait in files: they could not be written to the database'),
      ...(writing === null ? troubleOfUsage(rollingUp, 'Counts of calls were not rolled up') : []),
    ]
  }

  async function budgetUses(
    { accounts, usage }: FactSources,
    rules: readonly AlertRule[],
  ): Promise<SlowFacts['budgetUses']> {
    const budgets = rules.flatMap(({ when, enabled }) => (enabled && 'budget' in when ? [when.budget] : []))
    const of = JSON.stringify(budgets)
    if (summed?.of === of && Math.abs(now() - summed.at) < sumEveryMs) return summed.uses
    const uses = (await Promise.all(budgets.map((budget) => readUses(accounts, usage, budget, now())))).flat()
    summed = { of, at: now(), uses }
    return uses
  }

  return {
    /** Connects what exists by now, once. */
    connect: (connected: FactSources): void => void (sources = connected),

    /** As far as these rules want them. */
    async facts(rules: readonly AlertRule[]): Promise<SlowFacts> {
      const verifiers = health.verifiers.list()
      if (sources === null) return { verifiers, troubles: [], budgetUses: [], ...nothingRead }
      // Either way: a clock may have been set back.
      if (Math.abs(now() - readAt) >= readEveryMs) {
        readAt = now()
        read = await readFacts(sources, now())
      }
      const uses = await budgetUses(sources, rules)
      return { verifiers, troubles: troubles(sources), budgetUses: uses, ...read }
    },
  }
}

/** What is used of a budget by those who reach it, since the beginning of the month in UTC. */
async function readUses(
  { namesOf }: Pick<Accounts, 'namesOf'>,
  { accountSums }: Pick<Usage, 'accountSums'>,
  { of, id, measure, units, percent }: MonthBudget,
  at: number,
): Promise<SlowFacts['budgetUses']> {
  const month = new Date(at).toISOString().slice(0, 7)
  const found = await accountSums.usedAtLeast({
    of,
    id: id ?? null,
    measure,
    atLeast: (units * percent) / 100,
    since: Date.parse(month),
    limit: mostKeys,
  })
  const names = of === 'account' ? await namesOf(found.map((one) => one.id)) : new Map<string, string>()
  return found.map((one) => ({
    id: one.id,
    name: names.get(one.id) ?? one.name ?? one.id,
    of,
    measure,
    used: one.used,
    month,
  }))
}

const troubleOfUsage = (since: number | null, text: string): SlowFacts['troubles'] =>
  since === null ? [] : [{ kind: 'usage', since, text }]

async function readFacts(sources: FactSources, now: number): Promise<ReadFacts> {
  const { apiKeys, queryKeys, connections } = sources
  const span = { from: now, to: now + aheadMs }
  const [ofApi, ofQuery, usedLimits, saved, servers, accountEvents] = await Promise.all([
    apiKeys.ending(span, mostKeys),
    queryKeys.ending(span, mostKeys),
    queryKeys.usedLimits(),
    connections.changedConnections(),
    connections.toolServers.list(),
    readAccountEvents(sources, now),
  ])
  const limitedAccounts = usedLimits.filter(({ of }) => of === 'account').map(({ id }) => id)
  const names = await sources.accounts.namesOf(limitedAccounts)
  const changedServers = servers.map(({ url, name, changedTools, removedTools }) => ({
    id: url,
    name,
    tools: [...changedTools, ...removedTools],
  }))
  return {
    endingKeys: [
      ...ofApi.map((key) => ({ ...key, kind: 'API' as const })),
      ...ofQuery.map((key) => ({ ...key, kind: 'query' as const })),
    ],
    usedLimits: usedLimits.map((one) => ({ ...one, name: names.get(one.id) ?? one.name })),
    changedTools: [...saved, ...changedServers].filter(({ tools }) => tools.length > 0),
    accountEvents,
  }
}

/** A caller's address is compared by the network that is remembered of browsers, too. */
const comparedNetwork = { ipv4: 24, ipv6: 48 }

/**
 * Reads what happened to operators within the last day. Where one signed in before is in the audit log, so nothing more is
 * stored for it: compared are the latest hundred sign-ins of an operator, and the very first one is no new place. Whoever
 * opened the setup link is no news: there was nobody to be told of it.
 */
async function readAccountEvents(
  { accounts, audit }: FactSources,
  now: number,
): Promise<SlowFacts['accountEvents']> {
  const from = now - dayMs
  const operators = await accounts.operators()
  const events: SlowFacts['accountEvents'][number][] = []
  for (const { id, identities } of operators) {
    const [first] = identities
    const name = first?.label ?? first?.subject ?? id
    const [roles, signIns] = await Promise.all([
      audit.list({ action: 'account.role', subjectKind: 'account', subjectId: id, from, limit: 1 }),
      audit.list({ action: 'account.sign_in', actor: id, limit: 100 }),
    ])
    const [made] = roles.events
    if (made !== undefined) events.push({ id, name, kind: 'new operator', at: made.at, network: null })
    const known = new Set<string>()
    for (const { at, ip } of signIns.events.toReversed()) {
      const network = networkOf(ip, comparedNetwork)
      if (network === null || known.has(network)) continue
      if (known.size > 0 && at >= from) events.push({ id, name, kind: 'new place', at, network })
      known.add(network)
    }
  }
  return events
}
