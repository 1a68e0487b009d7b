import { Elysia } from 'elysia'

import { requireMetricsToken } from '../platform/http/metrics-token.ts'
import type { Metrics } from '../platform/metrics.ts'

/** `degraded` parts do not keep the process from answering; `failed` ones do. */
export type CheckState = 'ok' | 'degraded' | 'failed'

/** Whether each part that the process needs is there, by name. No versions and no addresses: it is public. */
export type Readiness = Record<string, CheckState>

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
      const checks = await readiness()
      const status = readyStatus(checks, isDraining())
      return Response.json({ status, checks }, { status: status === 'ready' ? 200 : 503, headers: noStore })
    })
    .get('/metrics', async ({ request }) => {
      requireMetricsToken(request.headers, metricsToken)
      return new Response(await metrics.render(), {
        headers: { ...noStore, 'content-type': metrics.contentType },
      })
    })
}

function readyStatus(checks: Readiness, isDraining: boolean): 'ready' | 'not_ready' | 'draining' {
  if (isDraining) return 'draining'
  return Object.values(checks).includes('failed') ? 'not_ready' : 'ready'
}
