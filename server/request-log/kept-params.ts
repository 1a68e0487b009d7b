import { type CallEntry, requestLogBounds } from '../../shared/request-log.ts'
import { redactCallText } from '../platform/redact.ts'

const { paramsChars } = requestLogBounds

/**
 * Returns what is kept of the parameters of a request's calls, a text for people: those of a single call as they are, those
 * of a batch a line for each call. Calls that were refused have none. A call that uses a key of the node may hold its
 * passphrase in any place, so nothing is kept of it.
 */
export function keptParams(entries: readonly CallEntry[]): string {
  const lines: string[] = []
  let length = 0
  for (const { method, params, facts } of entries) {
    if (length > paramsChars) break
    const line = params === undefined || facts?.kind === 'key-use' ? '(not kept)' : params
    lines.push(entries.length === 1 ? line : `${method ?? '(no call)'} ${line}`)
    length += line.length
  }
  const text = lines.join('\n')
  const kept = redactCallText(text.slice(0, paramsChars))
  return text.length > paramsChars || lines.length < entries.length ? `${kept} …` : kept
}
