import * as z from 'zod/mini'

import type { InvalidField } from '../../shared/faults.ts'
import { redactText } from './redact.ts'

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

/** The part of a request from which a value came, as Elysia names it. */
export type ValidatedPart = 'body' | 'query' | 'params' | 'headers' | 'cookie' | (string & {})

const maxIssues = 5
const maxFields = 100
const maxListed = 30

/** The beginning of zod's own texts, which ours do not have. Zod's are not used, because some repeat what was sent. */
const zodsOwnText = /^(?:Invalid|Too (?:big|small)|Unrecognized key)/

/**
 * What is wrong where, and what is allowed: `[2].rateLimit: expected a whole number`. `value` is only used to tell
 * a missing field from a wrong one: what the caller sent is never repeated, as it may be a secret.
 */
export function describeInvalid(schema: z.core.$ZodType, value: unknown, part: ValidatedPart): string {
  return describeIssues(issuesOf(schema, value), value, part)
}

/** Does the same as `describeInvalid` for what a schema has found already. */
export function describeIssues(
  issues: readonly ValidationIssue[],
  value: unknown,
  part: ValidatedPart,
): string {
  const texts = issues.slice(0, maxIssues).map((issue) => describeIssue(issue, value, part))
  const more = issues.length - texts.length
  if (texts.length === 0) return `${partNames[part] ?? part}: not allowed`
  return texts.join('; ') + (more > 0 ? `; and ${more} more` : '')
}

/** The same for a form, which can point at its fields. Unknown fields belong to what holds them. */
export function invalidFields(issues: readonly ValidationIssue[], value: unknown): InvalidField[] {
  return issues.slice(0, maxFields).map((issue) => ({
    path: stepsOf(issue).map((step) => (typeof step === 'string' ? nameText(step) : step)),
    message: allowedText(issue, value),
  }))
}

/** The same as one text, of fields that were refused for another reason than their form. */
export function describeFields(fields: readonly InvalidField[]): string {
  const texts = fields.slice(0, maxIssues).map(({ path, message }) => `${pathText(path)}: ${message}`)
  const more = fields.length - texts.length
  return texts.join('; ') + (more > 0 ? `; and ${more} more` : '')
}

/** Every mistake with its place, for those who can point at it. Unknown fields are mistakes of their own. */
export function findInvalid(schema: z.core.$ZodType, value: unknown): InvalidField[] {
  return issuesOf(schema, value).flatMap((issue) => {
    const path = stepsOf(issue)
    if (issue.code === 'unrecognized_keys') {
      return (issue.keys ?? []).map((key) => ({ path: [...path, key], message: 'no such field' }))
    }
    return [{ path, message: allowedText(issue, value) }]
  })
}

const issuesOf = (schema: z.core.$ZodType, value: unknown): readonly ValidationIssue[] =>
  z.safeParse(schema, value).error?.issues ?? []

const stepsOf = ({ path = [] }: ValidationIssue) => path.filter((step) => typeof step !== 'symbol')

const partNames: Record<string, string> = {
  body: 'body',
  query: 'query parameter',
  params: 'path parameter',
  headers: 'header',
  cookie: 'cookie',
  response: 'response',
}

const describeIssue = (issue: ValidationIssue, root: unknown, part: ValidatedPart): string =>
  `${place(issue.path ?? [], part)}: ${allowedText(issue, root)}`

function allowedText(issue: ValidationIssue, root: unknown): string {
  const path = issue.path ?? []
  const isMissing = path.length > 0 && issue.code !== 'unrecognized_keys' && valueAt(root, path) === undefined
  return `${isMissing ? 'required, ' : ''}${expectation(issue)}`
}

function place(path: readonly PropertyKey[], part: ValidatedPart): string {
  const name = partNames[part] ?? part
  if (path.length === 0) return name
  const field = pathText(path)
  return part === 'body' || part === 'response' ? field : `${name} ${field}`
}

/** `[2].rateLimit`, `policy.enterBlocks`. */
function pathText(path: readonly PropertyKey[]): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else text += (text === '' ? '' : '.') + nameText(String(step))
  }
  return text
}

/** Names of unknown fields come from the caller: bounded, no control characters, nothing that looks like a key. */
function nameText(name: string): string {
  const clean = redactText(name)
  return JSON.stringify(clean.length > 64 ? `${clean.slice(0, 64)}…` : clean).slice(1, -1)
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let current = root
  for (const step of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined
    current = Reflect.get(current, step)
  }
  return current
}

function expectation(issue: ValidationIssue): string {
  if (!zodsOwnText.test(issue.message)) return ownText(issue.message)
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
      return unknownFields(issue.keys ?? [])
    case 'invalid_key':
      return `a name in it is not allowed (${(issue.issues ?? []).map(expectation).join(', ')})`
    case 'invalid_element':
      return `an entry in it is not allowed (${(issue.issues ?? []).map(expectation).join(', ')})`
    case 'invalid_union':
      return unionExpectation(issue)
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

function unknownFields(keys: readonly string[]): string {
  const listed = keys.slice(0, 10).map(nameText)
  if (keys.length > listed.length) listed.push('…')
  return `unknown ${keys.length === 1 ? 'field' : 'fields'} ${listed.join(', ')}`
}

function unionExpectation({ options, errors = [] }: ValidationIssue): string {
  if (options !== undefined && options.length > 0) return `expected ${oneOf(options)}`
  // An alternative that knows all fields is what the caller meant, or else one that got further than the others.
  const meant = errors.filter((branch) => branch.every(({ code }) => code !== 'unrecognized_keys'))
  const missing = new Set(meant.map(([issue]) => (issue?.path?.length === 1 ? issue.path[0] : undefined)))
  if (meant.length > 1 && missing.size === meant.length && !missing.has(undefined))
    return `expected one of the fields ${[...missing].map(String).join(', ')}`
  const inside = [...meant, ...errors].flat().find(({ path = [] }) => path.length > 0)
  if (inside !== undefined) return `${pathText(inside.path ?? [])}: ${expectation(inside)}`
  const alternatives = new Set(errors.flatMap((branch) => branch.slice(0, 1).map(expectation)))
  const texts = [...alternatives].map((text) => text.replace(/^expected /, ''))
  return texts.length === 0 ? 'not allowed' : `expected ${texts.join(' or ')}`
}
