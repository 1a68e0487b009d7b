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

/**
 * Sorts the text of a refusal (`endpoint: an http or https address; policy.enterBlocks: expected a whole number`) to
 * the fields of a form.
 */
export function sortRefusal(text: string, shownFields: readonly string[]): Refusal {
  const fields: Record<string, string> = {}
  const rest: string[] = []
  for (const part of text.split('; ')) {
    const [, path, problem] = /^(.+?): (.+)$/s.exec(part) ?? []
    const field = shownFields.find(
      (name) => path === name || path?.startsWith(`${name}.`) || path?.startsWith(`${name}[`),
    )
    if (field === undefined || problem === undefined) rest.push(part)
    else fields[field] ??= asSentence(problem)
  }
  return { fields, rest: rest.join('; ') }
}
