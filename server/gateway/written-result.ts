import { SERVER_INFO_META_KEY } from '@modelcontextprotocol/server'

import type { Identity } from './mcp-server.ts'
import { type Outcome, valueOf } from './outcome.ts'

/** The JSON of a result, as the era from 2026-07-28 on has it. */
export type WriteResult = (outcome: Outcome) => string

/** Writes results without the SDK, whose checks of what we have just made take longer than making it. */
export function createWriteResult(identity: Identity): WriteResult {
  const signature = { [SERVER_INFO_META_KEY]: identity }
  const ending = `"resultType":"complete","_meta":${JSON.stringify(signature)}}`
  /** Of outcomes that are kept, and given again. */
  const written = new WeakMap<Outcome, string>()

  function write(outcome: Outcome): string {
    switch (outcome.kind) {
      case 'answer':
        return `{${twice(outcome.value)},${ending}`
      case 'refused':
        return `{${twice(valueOf(outcome))},"isError":true,${ending}`
      case 'passed_on': {
        const { result } = outcome
        const meta = { ...signature, ...result._meta }
        return JSON.stringify({ ...result, resultType: 'complete', _meta: meta })
      }
    }
  }

  return (outcome) => {
    if (outcome.kind !== 'answer') return write(outcome)
    const known = written.get(outcome)
    if (known !== undefined) return known
    const text = write(outcome)
    written.set(outcome, text)
    return text
  }
}

/** As `resultWith` has it, but made into text once. */
function twice(value: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(value)
  return `"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${text}`
}
