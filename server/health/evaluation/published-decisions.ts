import type { Decision, HealthResponse } from '../../../shared/health.ts'
import { randomHex } from '../../platform/ids.ts'

/** The numbers that stand beside a decision. */
export interface PublishedNumbers {
  readonly decision: Decision
  readonly liveVerifiers: number
  readonly avgBlocksLatency: number
  readonly avgTimeLatency: number
}

/** The answer about one service, ready to be sent. */
export interface PublishedDecision extends PublishedNumbers {
  readonly body: string
  readonly etag: string
  /** Epoch ms. */
  readonly evaluatedAt: number
  /** Epoch ms after which nothing but UNKNOWN may be said, whoever has stopped evaluating. */
  readonly expiresAt: number
}

/** Prebuilt answers: `GET /health/{serviceId}` is a look-up here and nothing else. */
export interface PublishedDecisions {
  /** A service that nobody registered, and one whose quorum is lost, are UNKNOWN. */
  read(serviceId: string, now: number): Pick<PublishedDecision, 'body' | 'etag' | 'decision'>
  find(serviceId: string): PublishedDecision | undefined
  /** The numbers of that answer. */
  numbers(serviceId: string, now: number): PublishedNumbers & Pick<PublishedDecision, 'evaluatedAt'>
  put(serviceId: string, numbers: PublishedNumbers, expiresAt: number, evaluatedAt: number): void
  remove(serviceId: string): void
}

export function createPublishedDecisions(): PublishedDecisions {
  const lines = new Map<string, PublishedDecision>()
  /** Entity tags of one run of the server never match those of another. */
  const run = randomHex(4)
  let version = 0

  return {
    read(serviceId, now) {
      const line = lines.get(serviceId)
      return line && now <= line.expiresAt ? line : unknownDecision(serviceId, now)
    },
    find: (serviceId) => lines.get(serviceId),
    numbers(serviceId, now) {
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

/** The specification's HealthResponse; `timestamp` is the Unix second of the evaluation. */
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
