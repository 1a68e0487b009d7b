import { HealthResponse } from '../../../shared/health.ts'
import { repeat, type Repeating } from '../repeating.ts'
import type { CallSeen, HealthSeen } from './record.ts'
import { refusalIn } from './relay-callers.ts'

/** A service that is always well, and how often each verifier probes it. */
export interface WellService {
  readonly id: string
  readonly intervalMs: number
  readonly freshMs: number
}

/** What is probed: it counts requests by service. */
export interface WellSite {
  urlOf(id: string): string
  probesOf(id: string): number
  /** Begins to count anew. */
  forget(): void
  stop(): Promise<void>
}

export function startWellSite(): WellSite {
  const counts = new Map<string, number>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch({ url }) {
      const id = new URL(url).pathname.slice(1)
      counts.set(id, (counts.get(id) ?? 0) + 1)
      return new Response('fine')
    },
  })
  return {
    urlOf: (id) => new URL(id, server.url).href,
    probesOf: (id) => counts.get(id) ?? 0,
    forget: () => counts.clear(),
    stop: () => server.stop(true),
  }
}

const patienceMs = 10_000

/** Somebody who asks about one service again and again, and does not wait for one answer before asking again. */
export function startHealthCallers(
  base: string,
  { id, freshMs }: WellService,
  everyMs: number,
  seen: { readonly calls: CallSeen[]; readonly health: HealthSeen[] },
): Repeating {
  const underWay = new Set<Promise<void>>()

  async function ask(): Promise<void> {
    const sentAt = performance.now()
    const { outcome, detail } = await askOnce().catch((error: unknown) => ({
      outcome: 'cut' as const,
      detail: String(error),
    }))
    const answeredAt = performance.now()
    seen.calls.push({ traffic: 'health', key: null, sentAt, answeredAt, outcome, detail, reachedAt: null })
  }

  async function askOnce() {
    const response = await fetch(`${base}/health/${id}`, { signal: AbortSignal.timeout(patienceMs) })
    const text = await response.text()
    if (response.status !== 200) return refusalIn(response.status, text)
    const { decision, timestamp } = HealthResponse.parse(JSON.parse(text)).result
    const ageMs = Date.now() - timestamp * 1_000
    seen.health.push({ at: performance.now(), serviceId: id, decision, ageMs, mayBeMs: freshMs })
    return { outcome: 'answered' as const, detail: '' }
  }

  const asking = repeat(async () => {
    const one = ask().finally(() => underWay.delete(one))
    underWay.add(one)
  }, everyMs)
  return {
    async stop() {
      await asking.stop()
      await Promise.all(underWay)
    },
  }
}
