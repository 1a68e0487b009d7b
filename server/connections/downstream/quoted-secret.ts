import { basicCredentials } from '../../platform/http/basic-credentials.ts'

/** Takes the secret that a tool server was sent out of what it says. */
export interface QuotedSecret {
  /** Returns the text without the secret. */
  hiddenIn(text: string): string
  /** Returns the value without the secret in any of its texts and names; the same value where there is none. */
  hiddenInAll(value: unknown): unknown
}

/** Shorter secrets are words that ordinary texts have too. */
const leastChars = 8
const replacement = '[secret]'

/**
 * Finds a secret as it is, percent-encoded, escaped as in JSON, each character for itself, and in Base64 wherever it
 * begins there; of a header of scheme Basic also the password, alone and after its user. `onQuoted` is called for each
 * text that held it. Returns null for a secret that is too short.
 */
export function createQuotedSecret(secret: string, onQuoted: () => void): QuotedSecret | null {
  const parts = [...new Set([secret, ...secret.split(' '), ...decodedParts(secret)])].filter(
    ({ length }) => length >= leastChars,
  )
  if (parts.length === 0) return null
  const patterns = parts
    .toSorted((one, other) => other.length - one.length)
    .flatMap((part) => [[...part].map(anyFormOf).join(''), ...base64Forms(part)])
  const pattern = new RegExp(patterns.join('|'), 'g')

  function hiddenIn(text: string): string {
    const hidden = text.replace(pattern, replacement)
    if (hidden !== text) onQuoted()
    return hidden
  }

  function hiddenInAll(value: unknown): unknown {
    if (typeof value === 'string') return hiddenIn(value)
    if (Array.isArray(value)) {
      const items = value.map(hiddenInAll)
      return items.every((item, place) => item === value[place]) ? value : items
    }
    if (typeof value !== 'object' || value === null) return value
    const before = Object.entries(value)
    const after = before.map(([name, field]) => [hiddenIn(name), hiddenInAll(field)] as const)
    const isSame = after.every(([name, field], place) => {
      const [ownName, ownField] = before[place] ?? []
      return name === ownName && field === ownField
    })
    return isSame ? value : Object.fromEntries(after)
  }

  return { hiddenIn, hiddenInAll }
}

/**
 * Returns a result without the secret, unless `isShown`; an error never shows it. The state of a call that waits is for its
 * server alone, and goes back as it came.
 */
export function hiddenInResult(result: unknown, quoted: QuotedSecret, isShown: boolean): unknown {
  if (isShown && !isErrorResult(result)) return result
  const hidden = quoted.hiddenInAll(result)
  if (hidden === result || typeof result !== 'object' || result === null || !('requestState' in result))
    return hidden
  return { ...Object(hidden), requestState: result.requestState }
}

const isErrorResult = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && 'isError' in result && result.isError === true

/** The same for tokens that are renewed: what is hidden is the last one that was sent, and the one before it. */
export function createQuotedTokens(onQuoted: () => void): QuotedSecret & { sent(token: string): void } {
  let latest = ''
  let patterns: readonly QuotedSecret[] = []

  return {
    sent(token) {
      if (token === latest) return
      latest = token
      const added = createQuotedSecret(token, onQuoted)
      patterns = [...(added === null ? [] : [added]), ...patterns].slice(0, 2)
    },
    hiddenIn: (text) => patterns.reduce((hidden, pattern) => pattern.hiddenIn(hidden), text),
    hiddenInAll: (value) => patterns.reduce((hidden, pattern) => pattern.hiddenInAll(hidden), value),
  }
}

/** What a server that was sent a header of scheme Basic may quote of it. The name of the user alone is no secret. */
function decodedParts(secret: string): string[] {
  const credentials = basicCredentials(secret)
  if (credentials === null) return []
  const { user, password } = credentials
  return [`${user}:${password}`, password]
}

/** A pattern for one character: as it is, after a backslash, `%2b`, `\u002b`; a space also as `+`. */
function anyFormOf(char: string): string {
  const percentEncoded = [...Buffer.from(char)].map((byte) => `%${hexOf(byte, 2)}`).join('')
  const escaped = char
    .split('')
    .map((unit) => String.raw`\\u${hexOf(unit.charCodeAt(0), 4)}`)
    .join('')
  const space = char === ' ' ? String.raw`|\+` : ''
  return String.raw`(?:\\?${RegExp.escape(char)}|${percentEncoded}|${escaped}${space})`
}

/** A pattern for a number in hexadecimal digits of either case. */
const hexOf = (code: number, digits: number): string =>
  code
    .toString(16)
    .padStart(digits, '0')
    .replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)

/** Patterns for the Base64 of a text that holds the secret, which depends on where in three bytes it begins. */
const base64Forms = (secret: string): string[] =>
  [0, 1, 2].map((offset) => {
    const encoded = Buffer.from(`${'\0'.repeat(offset)}${secret}`).toString('base64')
    const end = offset + Buffer.byteLength(secret)
    const whole = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor((end * 8) / 6))
    return RegExp.escape(whole).replaceAll('\\+', '[+-]').replaceAll('\\/', '[/_]')
  })
