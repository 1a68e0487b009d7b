import { toolCallBounds } from '../../shared/tool-calls.ts'
import type { FinishedToolCall, ToolCall } from '../connections/connections.ts'
import { isSecretName, redactCallText } from '../platform/redact.ts'

/** Arguments and result of a call as they are kept: JSON without credentials, cut off. */
export interface KeptContent {
  readonly arguments: string
  readonly result: string | null
}

/** Returns what is kept of a call. Called only where the owner of the connection has it kept. */
export function keptContent(
  { arguments: args, withoutSecret }: Pick<ToolCall, 'arguments' | 'withoutSecret'>,
  { result }: Pick<FinishedToolCall, 'result'>,
): KeptContent {
  const textOf = (value: unknown): string => cut(JSON.stringify(redacted(value, withoutSecret)))
  return { arguments: textOf(args), result: result === null ? null : textOf(result) }
}

const hidden = '[redacted]'
const bounds = { depth: 12, members: 100, textChars: 2_048, allChars: 65_536 } as const

/** The whole is bounded before it is written as JSON: results may be megabytes. */
function redacted(value: unknown, withoutSecret: (value: unknown) => unknown): unknown {
  let left: number = bounds.allChars

  /** A text may be JSON itself, so names within it count too. */
  function textOf(text: string): string {
    const whole = withoutSecret(text.slice(0, bounds.allChars))
    const clean = redactCallText(String(whole).slice(0, bounds.textChars * 2)).slice(0, bounds.textChars)
    left -= clean.length
    return text.length > bounds.textChars ? `${clean}… (${text.length} characters)` : clean
  }

  function memberOf(name: string, member: unknown, depth: number): [string, unknown] {
    const isHidden = isSecretName(name) && member !== null && typeof member !== 'boolean'
    return [textOf(name), isHidden ? hidden : copyOf(member, depth)]
  }

  function copyOf(given: unknown, depth: number): unknown {
    if (typeof given === 'string') return textOf(given)
    if (typeof given !== 'object' || given === null) return given
    if (depth >= bounds.depth || left <= 0) return '…'
    left -= 2
    if (Array.isArray(given)) return given.slice(0, bounds.members).map((item) => copyOf(item, depth + 1))
    const members = Object.entries(given).slice(0, bounds.members)
    return Object.fromEntries(members.map(([name, member]) => memberOf(name, member, depth + 1)))
  }

  return copyOf(value, 0)
}

const cut = (text: string): string => {
  const { contentChars } = toolCallBounds
  const clean = text.toWellFormed()
  return clean.length > contentChars ? `${clean.slice(0, contentChars)}…`.toWellFormed() : clean
}
