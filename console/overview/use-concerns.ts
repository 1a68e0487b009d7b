import { computed } from 'vue'
import type { ComputedRef, Ref } from 'vue'

import type { AlertView } from '../../shared/alerts.ts'
import { useAccount } from '../accounts/account.ts'
import { pendingAccountsQuery } from '../accounts/pending-accounts.ts'
import { firingAlertsQuery } from '../alerts/alert-queries.ts'
import { useApiKeys } from '../api-keys/api-keys.ts'
import { endpointsQuery } from '../endpoints/endpoint-queries.ts'
import { connectionsQuery, reusedTokensQuery } from '../gateway/gateway-queries.ts'
import { countByDecision } from '../health/rank.ts'
import type { useLiveServices } from '../health/use-live-services.ts'
import { verifiersQuery } from '../health/verifier-queries.ts'
import { useLiveQuery } from '../live-query.ts'
import { keysToAsk } from '../query-keys/near-limit.ts'
import { useQueryKeys } from '../query-keys/query-keys.ts'
import { useKeyUses } from '../query-keys/use-key-uses.ts'
import { callErrorText, trpc } from '../trpc.ts'
import { useTickingNow } from '../ui/ticking-now.ts'
import { usageTableQuery } from '../usage/usage-queries.ts'
import { useUsageNow } from '../usage/usage-now.ts'
import { questionOf, usualView } from '../usage/usage-view.ts'
import {
  approvalConcerns,
  consentConcerns,
  endpointConcerns,
  installationConcerns,
  keyConcerns,
  refusalConcerns,
  reusedTokenConcerns,
  serviceConcerns,
  verifierConcerns,
} from './attention.ts'
import type { Concern, ConcernSource } from './attention.ts'
import { alertConcerns, countsBesideAlerts, alertedIds } from './firing-alerts.ts'
import { nearLimitConcerns } from './near-limits.ts'

const usageRefreshMs = 30_000

const operationQuery = {
  key: ['installation', 'operation'],
  query: () => trpc.installation.operation.query(),
}

/** What was, or could not be, read. */
interface Read<Answer> {
  readonly data: Readonly<Ref<Answer | undefined>>
  readonly error: Readonly<Ref<unknown>>
  readonly refetch: () => unknown
}

function sourceOf<Answer>(
  title: string,
  { data, error, refetch }: Read<Answer>,
  concernsOf: (answer: Answer) => readonly Concern[],
): ComputedRef<ConcernSource> {
  return computed(() => ({
    title,
    concerns: data.value === undefined ? null : concernsOf(data.value),
    error: error.value === null ? null : callErrorText(error.value),
    retry: refetch,
  }))
}

/** What only operators may know, and nobody counts. */
function installationSources(firing: Read<AlertView[]>): readonly ComputedRef<ConcernSource>[] {
  const installation = useLiveQuery(operationQuery)
  const pendingAccounts = useLiveQuery(pendingAccountsQuery)
  return [
    sourceOf('Installation', installation, installationConcerns),
    sourceOf('Alerts', firing, alertConcerns),
    sourceOf('Accounts', pendingAccounts, ({ count }) => approvalConcerns(count)),
  ]
}

/** What somebody should look after, and how much there is of everything. Some of it is for operators only. */
export function useConcerns(services: ReturnType<typeof useLiveServices>) {
  const { isOperator } = useAccount()
  const now = useTickingNow()
  const apiKeys = useApiKeys()
  const queryKeys = useQueryKeys()
  const verifiers = isOperator ? useLiveQuery(verifiersQuery) : null
  const endpoints = isOperator ? useLiveQuery(endpointsQuery) : null

  const reused = useLiveQuery(reusedTokensQuery, usageRefreshMs)
  const connections = useLiveQuery(connectionsQuery, usageRefreshMs)

  const hour = useUsageNow()
  const lastDay = useLiveQuery(
    () => usageTableQuery('key', questionOf(usualView, hour.value)),
    usageRefreshMs,
  )
  const uses = useKeyUses(computed(() => keysToAsk(queryKeys.keys.value, queryKeys.updatedAt.value ?? 0)))

  const firing = isOperator ? useLiveQuery(firingAlertsQuery) : null
  const alertedLimits = computed(() => alertedIds(firing?.data.value, 'key.limit_used'))
  const alertedKeys = computed(() => alertedIds(firing?.data.value, 'key.expiring'))
  const alerted = computed(() => alertedIds(firing?.data.value, 'verifier.changed'))
  const ofServices = computed((): ConcernSource => ({
    title: 'Services',
    concerns: services.isLoading.value
      ? null
      : serviceConcerns(countsBesideAlerts(countByDecision(services.rows.value), firing?.data.value ?? [])),
    error: services.error.value,
    retry: services.reload,
  }))
  const others = [
    ...(firing === null ? [] : installationSources(firing)),
    ...(verifiers === null
      ? []
      : [sourceOf('Verifiers', verifiers, (all) => verifierConcerns(all, now.value, alerted.value))]),
    ...(endpoints === null ? [] : [sourceOf('Endpoints', endpoints, endpointConcerns)]),
    sourceOf('Agents', reused, ({ length }) => reusedTokenConcerns(length)),
    sourceOf('Connections', connections, consentConcerns),
    sourceOf('Limits', uses, (all) => nearLimitConcerns(queryKeys.keys.value, all, alertedLimits.value)),
    sourceOf('Usage', lastDay, ({ rows }) => refusalConcerns(rows)),
    sourceOf('Query keys', queryKeys, (all) => keyConcerns('query', all, now.value, alertedKeys.value)),
    sourceOf('API keys', apiKeys, (all) => keyConcerns('API', all, now.value, alertedKeys.value)),
  ]

  return {
    sources: computed(() => [ofServices.value, ...others.map(({ value }) => value)]),
    /** Null: not known, yet. */
    counts: computed(() => ({
      services: services.isLoading.value ? null : services.rows.value.length,
      verifiers: verifiers?.data.value?.length ?? null,
      endpoints: endpoints?.data.value?.length ?? null,
      queryKeys: queryKeys.data.value?.length ?? null,
      usedKeys: queryKeys.data.value?.filter(({ lastUsedAt }) => lastUsedAt !== null).length ?? null,
      apiKeys: apiKeys.data.value?.length ?? null,
    })),
  }
}
