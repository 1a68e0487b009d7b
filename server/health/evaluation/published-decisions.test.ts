import { describe, expect, test } from 'bun:test'

import { HealthResponse } from '../../../shared/health.ts'
import { createPublishedDecisions } from './published-decisions.ts'
import { covers } from '../../../tests/support/covers.ts'

const numbers = { decision: 'LATENCY', liveVerifiers: 3, avgBlocksLatency: 13, avgTimeLatency: 26 } as const
const evaluatedAt = 1_800_000_000_900

/** Published answers that are read at a given time. */
function publishedAnswers() {
  let now = evaluatedAt
  const published = createPublishedDecisions(() => now)
  return {
    ...published,
    readAt(serviceId: string, at: number) {
      now = at
      return published.read(serviceId)
    },
  }
}

describe('published answers', () => {
  test('hold what the specification names, and nothing else', () => {
    covers('health-response-result')
    const published = publishedAnswers()
    published.put('node-a', numbers, evaluatedAt + 30_000, evaluatedAt)
    const body: unknown = JSON.parse(published.readAt('node-a', evaluatedAt).body)
    expect(body).toEqual({
      result: {
        serviceId: 'node-a',
        decision: 'LATENCY',
        liveVerifiers: 3,
        avgBlocksLatency: 13,
        avgTimeLatency: 26,
        timestamp: 1_800_000_000,
      },
    })
    expect(HealthResponse.safeParse(body).success).toBe(true)
  })

  test('turn UNKNOWN by themselves when the quorum is lost, though nobody evaluates any more', () => {
    const published = publishedAnswers()
    published.put('node-a', numbers, evaluatedAt + 30_000, evaluatedAt)
    expect(published.readAt('node-a', evaluatedAt + 30_000).decision).toBe('LATENCY')
    const expired = published.readAt('node-a', evaluatedAt + 30_001)
    expect(JSON.parse(expired.body)).toEqual({
      result: {
        serviceId: 'node-a',
        decision: 'UNKNOWN',
        liveVerifiers: 0,
        avgBlocksLatency: 0,
        avgTimeLatency: 0,
        timestamp: 1_800_000_030,
      },
    })
  })

  test('an unregistered or removed service is UNKNOWN', () => {
    const published = publishedAnswers()
    expect(published.readAt('nobody', evaluatedAt).decision).toBe('UNKNOWN')
    published.put('node-a', numbers, evaluatedAt + 30_000, evaluatedAt)
    published.remove('node-a')
    expect(published.readAt('node-a', evaluatedAt).decision).toBe('UNKNOWN')
  })

  test('the entity tag changes exactly when the answer does', () => {
    const published = publishedAnswers()
    published.put('node-a', numbers, evaluatedAt + 30_000, evaluatedAt)
    const { etag } = published.readAt('node-a', evaluatedAt)
    expect(published.readAt('node-a', evaluatedAt + 1).etag).toBe(etag)
    published.put('node-a', numbers, evaluatedAt + 31_000, evaluatedAt + 1_000)
    expect(published.readAt('node-a', evaluatedAt + 1_000).etag).not.toBe(etag)
    expect(etag).toMatch(/^"[\w-]+"$/)
  })

  test('an id that JSON must escape cannot break the body', () => {
    expect(JSON.parse(publishedAnswers().readAt('a"b\\c', 0).body)).toMatchObject({
      result: { serviceId: 'a"b\\c' },
    })
  })
})
