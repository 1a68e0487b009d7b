import type { InvalidField } from '../../shared/faults.ts'
import { type ValidationIssue, issueWords, ownWords, placeText } from '../../shared/issue-words.ts'
import { asSentence } from '../ui/sentence.ts'

/** Texts by the field that they belong to: `name`, `headers`, `policy.enterBlocks`. */
export type FieldErrors = Readonly<Record<string, string>>

/** What a form holds, or what is wrong with it. */
export type FormReading<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'wrong'; readonly errors: FieldErrors }

export interface Refusal {
  /** By the field that they belong to. */
  readonly fields: FieldErrors
  /** What belongs to no field that is shown; empty when there is nothing. */
  readonly rest: string
}

/** The first field that is at a place such as `policy.limits[0].calls`, or holds it. */
const fieldAt = (place: string, shownFields: readonly string[]): string | undefined =>
  shownFields.find((name) => place === name || place.startsWith(`${name}.`) || place.startsWith(`${name}[`))

/**
 * Sorts the text of a refusal (`endpoint: an http or https address; policy.enterBlocks: expected a whole number`) to
 * the fields of a form.
 */
export function sortRefusal(text: string, shownFields: readonly string[]): Refusal {
  return sortProblems(
    text.split('; ').map((part) => {
      const [, place = '', problem = ''] = /^(.+?): (.+)$/s.exec(part) ?? []
      return { place, problem, part }
    }),
    shownFields,
  )
}

/** The same for a refusal that names the fields. */
export const sortRefusedFields = (
  refused: readonly InvalidField[],
  shownFields: readonly string[],
): Refusal =>
  sortProblems(
    refused.map(({ path, message }) => {
      const place = placeText(path)
      return { place, problem: message, part: place === '' ? message : `${place}: ${message}` }
    }),
    shownFields,
  )

function sortProblems(
  problems: readonly { readonly place: string; readonly problem: string; readonly part: string }[],
  shownFields: readonly string[],
): Refusal {
  const fields: Record<string, string> = {}
  const rest: string[] = []
  for (const { place, problem, part } of problems) {
    const field = fieldAt(place, shownFields)
    if (field === undefined || problem === '') rest.push(part)
    else fields[field] ??= asSentence(problem)
  }
  return { fields, rest: rest.join('; ') }
}

/** By field, the host of a private address that was refused there, and that an operator may allow. */
export function privateHostsAt(
  refused: readonly InvalidField[],
  shownFields: readonly string[],
): Readonly<Record<string, string>> {
  const hosts = refused.flatMap(({ path, privateHost }) => {
    const field = fieldAt(placeText(path), shownFields)
    return field === undefined || privateHost === undefined ? [] : [[field, privateHost] as const]
  })
  return Object.fromEntries(hosts)
}

/** What a schema says of a value that it refuses, or else what is allowed: in browsers zod itself has no words. */
export const issueText = (issue: ValidationIssue): string => ownWords(issue) ?? issueWords(issue)

/** What a schema found in a form, by its fields, before anything is sent. What has no field stands at its own place. */
export function issueErrors<Found extends ValidationIssue>(
  issues: readonly Found[],
  shownFields: readonly string[],
  wordsOf: (issue: Found) => string = issueText,
): FieldErrors {
  const errors: Record<string, string> = {}
  for (const issue of issues) {
    const place = placeText(issue.path ?? [])
    errors[fieldAt(place, shownFields) ?? place] ??= asSentence(wordsOf(issue))
  }
  return errors
}

/** The same for what holds the fields of the form in its `spec`. */
export const specErrors = (
  issues: readonly ValidationIssue[],
  shownFields: readonly string[],
  wordsOf = issueText,
): FieldErrors =>
  issueErrors(
    issues.map((issue) => ({ ...issue, path: (issue.path ?? []).slice(1) })),
    shownFields,
    wordsOf,
  )
