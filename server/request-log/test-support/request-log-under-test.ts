import { silentLog } from '../../../scripts/world/database.ts'
import { createMetrics } from '../../platform/metrics.ts'
import type { FinishedRequest } from '../../../shared/request-log.ts'
import { openRequestLog, type RequestLog } from '../request-log.ts'
import { type SegmentBounds, segmentBounds } from '../segment-plan.ts'

/** A log on a real folder, whose clock is moved by hand. */
export interface LogUnderTest {
  at: number
  readonly keys: Set<string>
  open(): Promise<RequestLog>
}

export function requestLogUnderTest(folder: string, bounds: Partial<SegmentBounds> = {}): LogUnderTest {
  const under: LogUnderTest = {
    at: Date.UTC(2026, 0, 15, 12),
    keys: new Set(['key-1']),
    open: () =>
      openRequestLog({
        folder,
        now: () => under.at,
        log: silentLog,
        metrics: createMetrics(),
        keyIdsOf: async () => under.keys,
        bounds: { ...segmentBounds, ...bounds },
      }),
  }
  return under
}

/** A request that was answered at the first try, but for what is given. */
export const finished = (changes: Partial<FinishedRequest> = {}, accountId = 'acc_1'): FinishedRequest => ({
  key: { id: 'key-1', accountId, endpoint: 'testnet', debugEndsAt: null },
  entries: [],
  method: 'eth_call',
  calls: 1,
  class: 'answer',
  status: 200,
  startedAt: 1_000,
  tookMs: 12.345,
  attempts: [{ upstream: 'node-a', class: 'answer', ms: 12.3, startedAt: 1_000.04 }],
  bytesIn: 100,
  bytesOut: 200,
  credits: 20,
  requestId: 'req_1',
  ...changes,
})
