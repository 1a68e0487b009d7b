import type { Egress } from '../../platform/egress.ts'
import { parseJson } from '../../platform/json.ts'

export interface ReadDocument {
  readonly content: unknown
  /** As its `cache-control` says; null: it says nothing. */
  readonly maxAgeSec: number | null
}

/** Reads a JSON document of a client. Resolves to null for whatever cannot be read. */
export type DocumentReader = (url: string) => Promise<ReadDocument | null>

const timeoutMs = 5_000
const maxBytes = 16 << 10

/** By the guarded egress: https alone, public addresses, no redirects. */
export const createDocumentReader =
  (egress: Pick<Egress, 'request'>): DocumentReader =>
  async (url) => {
    const headers = { accept: 'application/json', 'user-agent': 'gatehouse' }
    try {
      const { status, headers: answered, text } = await egress.request({ url, headers, timeoutMs, maxBytes })
      const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(answered.get('content-type') ?? '')
      if (status !== 200 || !isJson) return null
      const age = /(?:^|[\s,])max-age=(\d{1,9})\s*(?:,|$)/.exec(answered.get('cache-control') ?? '')?.[1]
      return { content: parseJson(text), maxAgeSec: age === undefined ? null : Number(age) }
    } catch {
      return null
    }
  }
