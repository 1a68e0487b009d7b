import { Elysia } from 'elysia'

import { requireMetricsToken } from '../platform/http/metrics-token.ts'
import type { Metrics } from '../platform/metrics.ts'

/** `degraded` parts do not keep the process from answering; `failed` ones do. The reason is one that anybody may read. */
export type PartState = 'ok' | { readonly state: 'degraded' | 'failed'; readonly reason: string }

/** Whether each part that the process needs is there, by name. No versions and no addresses: it is public. */
export type Readiness = Record<string, PartState>

interface ProbesOptions {
  readiness(): Readiness | Promise<Readiness>
  isDraining(): boolean
  metrics: Metrics
  /** Null: `/metrics` does not exist. */
  metricsToken: string | null
}

/** Answered under any `Host`: it says nothing, and whoever looks after processes may not know our name. */
export const livenessPath = '/healthz'

const noStore = { 'cache-control': 'no-store' } as const

/** `/healthz` says that the process lives, `/readyz` that it should get requests, `/metrics` is for Prometheus. */
export function probes({ readiness, isDraining, metrics, metricsToken }: ProbesOptions) {
  return new Elysia({ name: 'probes' })
    .get(livenessPath, () => Response.json({ status: 'ok' }, { headers: noStore }))
    .get('/readyz', async () => {
      // Without a look at the parts: a balancer must learn of it at once, also while one of them hangs.
      if (isDraining()) return readinessResponse('draining', {})
      const parts = await readiness()
      return readinessResponse(readyStatus(parts), parts)
    })
    .get('/metrics', async ({ request }) => {
      requireMetricsToken(request.headers, metricsToken)
      return new Response(await metrics.render(), {
        headers: { ...noStore, 'content-type': metrics.contentType },
      })
    })
}

type ReadyStatus = 'ready' | 'degraded' | 'not_ready' | 'draining'

function readinessResponse(status: ReadyStatus, parts: Readiness): Response {
  const entries = Object.entries(parts)
  const body = {
    status,
    checks: Object.fromEntries(entries.map(([name, check]) => [name, stateOf(check)])),
    reasons: Object.fromEntries(
      entries.flatMap(([name, check]) => (check === 'ok' ? [] : [[name, check.reason]])),
    ),
  }
  const isAnswering = status === 'ready' || status === 'degraded'
  return Response.json(body, { status: isAnswering ? 200 : 503, headers: noStore })
}

const stateOf = (check: PartState): 'ok' | 'degraded' | 'failed' => (check === 'ok' ? 'ok' : check.state)

function readyStatus(parts: Readiness): ReadyStatus {
  const states = new Set(Object.values(parts).map(stateOf))
  if (states.has('failed')) return 'not_ready'
  return states.has('degraded') ? 'degraded' : 'ready'
}
