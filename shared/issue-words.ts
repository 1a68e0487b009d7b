/** The parts of zod's issues that a caller is told about. */
export interface ValidationIssue {
  code?: string
  path?: readonly PropertyKey[]
  message: string
  expected?: string
  origin?: string
  minimum?: number | bigint
  maximum?: number | bigint
  inclusive?: boolean
  divisor?: number
  format?: string
  prefix?: string
  suffix?: string
  includes?: string
  values?: readonly unknown[]
  options?: readonly unknown[]
  keys?: readonly string[]
  errors?: readonly (readonly ValidationIssue[])[]
  issues?: readonly ValidationIssue[]
}

const maxListed = 30

/** The beginning of zod's own texts, which ours do not have. Zod's are not used, because some repeat what was sent. */
const zodsOwnText = /^(?:Invalid|Too (?:big|small)|Unrecognized key)/

/** How names that a caller chose are written; as they are, where the reader chose them. */
type NameWords = (name: string) => string

/** `[2].rateLimit`, `policy.enterBlocks`. */
export function placeText(path: readonly PropertyKey[], nameOf: NameWords = String): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else text += (text === '' ? '' : '.') + nameOf(String(step))
  }
  return text
}

/**
 * The words of a schema for what it refuses; null where it has none of its own. Without a locale, as in browsers, zod
 * says no more than "Invalid input".
 */
export const ownWords = ({ message }: ValidationIssue): string | null =>
  zodsOwnText.test(message) ? null : message

/** What is allowed in place of what was refused: `expected at most 80 characters`. Never says what was sent. */
export function issueWords(issue: ValidationIssue, nameOf: NameWords = String): string {
  const own = ownWords(issue)
  if (own !== null) return ownText(own)
  const wordsOf = (inner: ValidationIssue): string => issueWords(inner, nameOf)
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${typeName(issue.expected)}`
    case 'too_small':
      return `expected ${bound(issue, 'at least', 'more than', issue.minimum)}`
    case 'too_big':
      return `expected ${bound(issue, 'at most', 'less than', issue.maximum)}`
    case 'not_multiple_of':
      return `expected a multiple of ${issue.divisor}`
    case 'invalid_value':
      return `expected ${oneOf(issue.values ?? [])}`
    case 'invalid_format':
      return `expected ${formatName(issue)}`
    case 'unrecognized_keys':
      return unknownFields(issue.keys ?? [], nameOf)
    case 'invalid_key':
      return `a name in it is not allowed (${(issue.issues ?? []).map(wordsOf).join(', ')})`
    case 'invalid_element':
      return `an entry in it is not allowed (${(issue.issues ?? []).map(wordsOf).join(', ')})`
    case 'invalid_union':
      return unionWords(issue, nameOf)
    default:
      return 'not allowed'
  }
}

/** A schema's own text, made to read on after the colon. */
const ownText = (message: string) =>
  /^(?:expected|must|is|not|unknown|this)\b/i.test(message) ? message : `expected ${message}`

const typeNames: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
  tuple: 'an array',
  null: 'null',
  date: 'a date',
  never: 'no value',
}
const typeName = (expected = '') => typeNames[expected] ?? 'another type'

function bound(
  { origin, inclusive }: ValidationIssue,
  including: string,
  excluding: string,
  limit: number | bigint = 0,
): string {
  const amount = `${inclusive === false ? excluding : including} ${limit}`
  switch (origin) {
    case 'string':
      return `${amount} ${Number(limit) === 1 ? 'character' : 'characters'}`
    case 'array':
    case 'set':
      return `${amount} ${Number(limit) === 1 ? 'entry' : 'entries'}`
    case 'int':
      return `a whole number of ${amount}`
    case 'number':
    case 'bigint':
      return `a number of ${amount}`
    default:
      return amount
  }
}

function oneOf(values: readonly unknown[]): string {
  const listed = values.slice(0, maxListed).map((value) => JSON.stringify(value))
  if (values.length > maxListed) listed.push('…')
  return listed.length === 1 ? String(listed[0]) : `one of ${listed.join(', ')}`
}

const formatNames: Record<string, string> = {
  url: 'a URL',
  email: 'an e-mail address',
  uuid: 'a UUID',
  guid: 'a UUID',
  datetime: 'an RFC 3339 instant such as 2026-01-31T12:00:00Z',
  date: 'a date such as 2026-01-31',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  cidrv4: 'an IPv4 network such as 192.0.2.0/24',
  cidrv6: 'an IPv6 network such as 2001:db8::/32',
  base64: 'base64',
  base64url: 'base64url',
  json_string: 'JSON',
  regex: 'the documented pattern',
}

function formatName({ format = '', prefix, suffix, includes }: ValidationIssue): string {
  if (prefix !== undefined) return `a text that begins with ${JSON.stringify(prefix)}`
  if (suffix !== undefined) return `a text that ends with ${JSON.stringify(suffix)}`
  if (includes !== undefined) return `a text that contains ${JSON.stringify(includes)}`
  return formatNames[format] ?? 'another format'
}

function unknownFields(keys: readonly string[], nameOf: NameWords): string {
  const listed = keys.slice(0, 10).map((key) => nameOf(key))
  if (keys.length > listed.length) listed.push('…')
  return `unknown ${keys.length === 1 ? 'field' : 'fields'} ${listed.join(', ')}`
}

function unionWords({ options, errors = [] }: ValidationIssue, nameOf: NameWords): string {
  const wordsOf = (inner: ValidationIssue): string => issueWords(inner, nameOf)
  if (options !== undefined && options.length > 0) return `expected ${oneOf(options)}`
  // An alternative that knows all fields is what the caller meant, or else one that got further than the others.
  const meant = errors.filter((branch) => branch.every(({ code }) => code !== 'unrecognized_keys'))
  const missing = new Set(meant.map(([issue]) => (issue?.path?.length === 1 ? issue.path[0] : undefined)))
  if (meant.length > 1 && missing.size === meant.length && !missing.has(undefined))
    return `expected one of the fields ${[...missing].map(String).join(', ')}`
  const inside = [...meant, ...errors].flat().find(({ path = [] }) => path.length > 0)
  if (inside !== undefined) return `${placeText(inside.path ?? [], nameOf)}: ${wordsOf(inside)}`
  const alternatives = new Set(errors.flatMap((branch) => branch.slice(0, 1).map(wordsOf)))
  const texts = [...alternatives].map((text) => text.replace(/^expected /, ''))
  return texts.length === 0 ? 'not allowed' : `expected ${texts.join(' or ')}`
}
