import type { Decision, HealthResponse } from '../../../shared/health.ts'
import { randomHex } from '../../platform/ids.ts'

/** A decision with the numbers that are published beside it. */
export interface PublishedNumbers {
  readonly decision: Decision
  readonly liveVerifiers: number
  readonly avgBlocksLatency: number
  readonly avgTimeLatency: number
}

/** The prebuilt answer about one service. */
export interface PublishedDecision extends PublishedNumbers {
  readonly body: string
  readonly etag: string
  /** Epoch ms. */
  readonly evaluatedAt: number
  /** Epoch ms after which the answer is UNKNOWN, even if evaluation has stopped. */
  readonly expiresAt: number
}

/** The prebuilt answers: `GET /health/{serviceId}` is one look-up here. */
export interface PublishedDecisions {
  /** Returns the answer. It is UNKNOWN for a service that is not registered, and for one whose quorum has expired. */
  read(serviceId: string): Pick<PublishedDecision, 'body' | 'etag' | 'decision'>
  find(serviceId: string): PublishedDecision | undefined
  /** Returns the numbers of the same answer. */
  numbers(serviceId: string): PublishedNumbers & Pick<PublishedDecision, 'evaluatedAt'>
  put(serviceId: string, numbers: PublishedNumbers, expiresAt: number, evaluatedAt: number): void
  remove(serviceId: string): void
}

/** `clock` returns epoch ms. */
export function createPublishedDecisions(clock: () => number): PublishedDecisions {
  const lines = new Map<string, PublishedDecision>()
  /** The prefix of entity tags, so that those of one run of the server never match those of another. */
  const run = randomHex(4)
  let version = 0

  return {
    read(serviceId) {
      const now = clock()
      const line = lines.get(serviceId)
      return line && now <= line.expiresAt ? line : unknownDecision(serviceId, now)
    },
    find: (serviceId) => lines.get(serviceId),
    numbers(serviceId) {
      const now = clock()
      const line = lines.get(serviceId)
      return line && now <= line.expiresAt ? line : { ...nothingKnown, evaluatedAt: now }
    },
    put(serviceId, numbers, expiresAt, evaluatedAt) {
      version++
      lines.set(serviceId, {
        ...numbers,
        evaluatedAt,
        expiresAt,
        body: bodyOf(serviceId, numbers, evaluatedAt),
        etag: `"${run}-${version.toString(36)}"`,
      })
    },
    remove: (serviceId) => {
      lines.delete(serviceId)
    },
  }
}

const nothingKnown: PublishedNumbers = {
  decision: 'UNKNOWN',
  liveVerifiers: 0,
  avgBlocksLatency: 0,
  avgTimeLatency: 0,
}

function unknownDecision(
  serviceId: string,
  now: number,
): Pick<PublishedDecision, 'body' | 'etag' | 'decision'> {
  return {
    decision: 'UNKNOWN',
    body: bodyOf(serviceId, nothingKnown, now),
    etag: `"unknown-${Math.floor(now / 1000).toString(36)}"`,
  }
}

/** Returns the body in the form of the specification's HealthResponse; `timestamp` is the Unix second of the evaluation. */
function bodyOf(serviceId: string, numbers: PublishedNumbers, evaluatedAt: number): string {
  const response: HealthResponse = {
    result: {
      serviceId,
      decision: numbers.decision,
      liveVerifiers: numbers.liveVerifiers,
      avgBlocksLatency: numbers.avgBlocksLatency,
      avgTimeLatency: numbers.avgTimeLatency,
      timestamp: Math.floor(evaluatedAt / 1000),
    },
  }
  return JSON.stringify(response)
}
