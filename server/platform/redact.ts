import { isDate } from 'node:util/types'
import { tokenPrefixes } from './token-prefixes.ts'

/**
 * Takes secrets out of what is about to be logged: by the name of a field at any depth, and by the look of a text.
 * Also bounds the size, and escapes characters with which a log reader's terminal could be steered.
 */

const redacted = '[redacted]'

const bounds = { depth: 6, keys: 50, items: 50, textChars: 2_000, scannedChars: 16_000 } as const

/** Compared after lower-casing and removing `-`, `_`, `.`, so that `X-Api-Key` and `apiKey` are one name. */
const secretNameParts = [
  'authorization',
  'cookie',
  'password',
  'passphrase',
  'passwd',
  'secret',
  'token',
  'apikey',
  'privatekey',
  'signature',
  'credential',
  'mnemonic',
  'seedphrase',
  'xgatewaycred',
  'codeverifier',
  'clientassertion',
]
const secretNames = new Set(['key', 'proof', 'sig', 'jwt', 'sessionid', 'mcpsessionid', 'authcode'])

/** Endings of names that describe a secret without being one: `keyId`, `tokenCount`, `tokenName`. */
const describesSecret = /(?:id|ids|count|name|hint|at|ms|sec)$/

export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[-_.]/g, '')
  if (secretNames.has(plain)) return true
  if (describesSecret.test(plain)) return false
  return secretNameParts.some((part) => plain.includes(part))
}

/** Each pattern also matches a secret that was cut off, because long texts are scanned up to a bound only. */
const credentialTexts: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END[^-]{0,40}-----|$)/g, redacted],
  [/\b(Bearer|Basic|DPoP)\s+[A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${redacted}`],
  [new RegExp(`(${Object.values(tokenPrefixes).join('|')})[A-Za-z0-9_-]+`, 'g'), `$1${redacted}`],
  [/eyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*){0,2}/g, redacted], // JWT
  [/(x-gateway-cred-[\w-]{1,64}["']?\s{0,3}[:=]\s{0,3}["']?)[^\s"',;}]+/gi, `$1${redacted}`],
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#"']{1,500}@/gi, `$1${redacted}@`], // userinfo of a URL
  [
    /([?&](?:[\w-]{0,30}(?:key|token|secret|password|signature)|sig|code|state|code_verifier|client_assertion)=)[^&\s#"']+/gi,
    `$1${redacted}`,
  ],
  // A long opaque path segment: providers of RPC nodes put the customer's key there.
  [/(https?:\/\/[^\s"'?#]{0,300}?\/)[A-Za-z0-9_-]{24,}/gi, `$1${redacted}`],
]

const secretTexts = [
  ...credentialTexts,
  [/0x[0-9a-fA-F]{130}[0-9a-fA-F]*/g, redacted], // secp256k1 signature with recovery byte
  [/[A-Za-z0-9+/]{86}==/g, redacted], // Ed25519 signature
] as const

/** A member of a JSON object with a text, which may be cut off. */
const jsonText = /"((?:[^"\\]|\\.){1,64})"(\s*:\s*)"(?:[^"\\]|\\.)*(?:"|\\?$)/g

/** A JSON text of calls to nodes without credentials. Signatures stay: in calls long numbers are data, and public. */
export function redactCallText(json: string): string {
  const byName = json.replace(jsonText, (member: string, name: string, colon: string) =>
    isSecretName(name) ? `"${name}"${colon}"${redacted}"` : member,
  )
  const clean = credentialTexts.reduce(
    (text, [pattern, replacement]) => text.replace(pattern, replacement),
    byName,
  )
  return clean.replace(steering, escapeSteering)
}

/** C1 controls, line separators and direction marks; JSON itself escapes the C0 controls. */
// eslint-disable-next-line no-control-regex
const steering = /[\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g

const escapeSteering = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A text without secrets, of at most 2,000 characters. */
export function redactText(text: string): string {
  let clean = text.length > bounds.scannedChars ? text.slice(0, bounds.scannedChars) : text
  for (const [pattern, replacement] of secretTexts) clean = clean.replace(pattern, replacement)
  clean = clean.replace(steering, escapeSteering)
  if (clean.length <= bounds.textChars && text.length <= bounds.scannedChars) return clean
  return `${clean.slice(0, bounds.textChars)}… (${text.length} characters)`
}

/** A copy of `value` that is safe to write as JSON: no secrets, no cycles, bounded in depth and breadth. */
export function redact(value: unknown): unknown {
  return copyOf(value, 0, new Set())
}

function copyOf(value: unknown, depth: number, ancestors: Set<object>): unknown {
  switch (typeof value) {
    case 'string':
      return redactText(value)
    case 'number':
      return Number.isFinite(value) ? value : String(value)
    case 'bigint':
      return value.toString()
    case 'boolean':
      return value
    case 'object':
      return value === null ? null : copyOfObject(value, depth, ancestors)
    case 'undefined':
    case 'function':
    case 'symbol':
      return undefined
  }
}

function copyOfObject(value: object, depth: number, ancestors: Set<object>): unknown {
  if (ancestors.has(value)) return '[circular]'
  if (depth >= bounds.depth) return '[too deep]'
  if (isDate(value)) return copyOfDate(new Date(value))
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`
  ancestors.add(value)
  try {
    if (value instanceof Error) return copyOfError(value, depth, ancestors)
    if (value instanceof Headers || value instanceof Map) {
      return copyOfEntries(value.entries(), depth, ancestors)
    }
    if (Array.isArray(value) || value instanceof Set) return copyOfItems([...value], depth, ancestors)
    return copyOfEntries(Object.entries(value).values(), depth, ancestors)
  } finally {
    ancestors.delete(value)
  }
}

const copyOfDate = (date: Date) => (Number.isNaN(date.getTime()) ? 'invalid date' : date.toISOString())

function copyOfError(error: Error, depth: number, ancestors: Set<object>): unknown {
  const { name, message, stack, cause, ...own } = error
  const entries = Object.entries({ name, message, stack, ...(cause === undefined ? {} : { cause }), ...own })
  return copyOfEntries(entries.values(), depth, ancestors)
}

function copyOfItems(items: unknown[], depth: number, ancestors: Set<object>): unknown[] {
  const kept = items.slice(0, bounds.items).map((item) => copyOf(item, depth + 1, ancestors))
  if (items.length > bounds.items) kept.push(`… (${items.length} items)`)
  return kept
}

function copyOfEntries(
  entries: IterableIterator<[unknown, unknown]>,
  depth: number,
  ancestors: Set<object>,
): Record<string, unknown> {
  const copy: Record<string, unknown> = Object.create(null) // keeps a field of the name `__proto__`
  let count = 0
  for (const [key, value] of entries) {
    if (count++ === bounds.keys) {
      copy['…'] = 'more fields left out'
      break
    }
    // An object may be a map's key, and what its own `toString` does is not known.
    const keyText = typeof key === 'object' ? JSON.stringify(copyOf(key, depth + 1, ancestors)) : String(key)
    const name = redactText(keyText).slice(0, 200)
    const isHidden = isSecretName(name) && value !== null && value !== undefined && typeof value !== 'boolean'
    copy[name] = isHidden ? redacted : copyOf(value, depth + 1, ancestors)
  }
  return copy
}
