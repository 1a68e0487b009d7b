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
  const fields: Record<string, string> = {}
  const rest: string[] = []
  for (const part of text.split('; ')) {
    const [, path = '', problem] = /^(.+?): (.+)$/s.exec(part) ?? []
    const field = fieldAt(path, shownFields)
    if (field === undefined || problem === undefined) rest.push(part)
    else fields[field] ??= asSentence(problem)
  }
  return { fields, rest: rest.join('; ') }
}

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** What a schema found in a form, by its fields, before anything is sent. What has no field stands at its own place. */
export function issueErrors<Found extends Issue>(
  issues: readonly Found[],
  shownFields: readonly string[],
  wordsOf: (issue: Found) => string = ({ message }) => message,
): FieldErrors {
  const errors: Record<string, string> = {}
  for (const issue of issues) {
    const place = issue.path.reduce<string>(
      (text, step) =>
        typeof step === 'number' ? `${text}[${step}]` : `${text}${text === '' ? '' : '.'}${String(step)}`,
      '',
    )
    errors[fieldAt(place, shownFields) ?? place] ??= asSentence(wordsOf(issue))
  }
  return errors
}
