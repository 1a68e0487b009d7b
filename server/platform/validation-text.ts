import * as z from 'zod/mini'

import type { InvalidField } from '../../shared/faults.ts'
import { type ValidationIssue, issueWords, placeText } from '../../shared/issue-words.ts'
import { redactText } from './redact.ts'

/** The part of a request from which a value came, as Elysia names it. */
export type ValidatedPart = 'body' | 'query' | 'params' | 'headers' | 'cookie' | (string & {})

const maxIssues = 5
const maxFields = 100

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
  const texts = fields
    .slice(0, maxIssues)
    .map(({ path, message }) => `${placeText(path, nameText)}: ${message}`)
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
  return `${isMissing ? 'required, ' : ''}${issueWords(issue, nameText)}`
}

function place(path: readonly PropertyKey[], part: ValidatedPart): string {
  const name = partNames[part] ?? part
  if (path.length === 0) return name
  const field = placeText(path, nameText)
  return part === 'body' || part === 'response' ? field : `${name} ${field}`
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
