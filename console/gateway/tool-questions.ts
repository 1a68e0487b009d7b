import { type Fields, isFields } from '../../shared/fields.ts'
import type { PlaygroundAnswer } from '../../shared/playground.ts'
import {
  type ArgumentField,
  type ArgumentValues,
  argumentFieldsOf,
  initialValues,
  readFields,
} from './tool-form.ts'

/** Something that a tool asks before it answers, by the name that the tool gave it. All texts are somebody else's. */
export type ToolQuestion = {
  readonly name: string
  readonly message: string
} & (
  | { readonly kind: 'form'; readonly fields: readonly ArgumentField[] }
  /** To be opened in a browser. */
  | { readonly kind: 'address'; readonly address: string }
  /** A form that cannot be shown: it can be declined. */
  | { readonly kind: 'other_form'; readonly asked: unknown }
  /** Nothing that a person is asked. */
  | { readonly kind: 'not_for_people'; readonly asked: unknown }
)

/** By question. */
export type QuestionAnswers = Record<string, PlaygroundAnswer>

type Typed = Readonly<Record<string, ArgumentValues>>

export type AnswersReading =
  | { readonly kind: 'answers'; readonly answers: QuestionAnswers }
  /** By question, then by field. */
  | { readonly kind: 'wrong'; readonly errors: Readonly<Record<string, Readonly<Record<string, string>>>> }

const maxMessageChars = 2_000

/** The questions of a result that is `input_required`. */
export function questionsOf({ inputRequests }: Fields): ToolQuestion[] {
  return isFields(inputRequests)
    ? Object.entries(inputRequests).map(([name, asked]) => questionOf(name, asked))
    : []
}

function questionOf(name: string, asked: unknown): ToolQuestion {
  const { method, params } = isFields(asked) ? asked : {}
  if (method !== 'elicitation/create' || !isFields(params))
    return { kind: 'not_for_people', name, message: wordsOf(method), asked }
  const { message: said, mode, url, requestedSchema } = params
  const message = typeof said === 'string' ? said.slice(0, maxMessageChars) : name
  if (mode === 'url' && typeof url === 'string') return { kind: 'address', name, message, address: url }
  const fields = mode === undefined || mode === 'form' ? argumentFieldsOf(requestedSchema) : null
  return fields === null
    ? { kind: 'other_form', name, message, asked }
    : { kind: 'form', name, message, fields }
}

function wordsOf(method: unknown): string {
  switch (method) {
    case 'sampling/createMessage':
      return 'It asks for the answer of a language model. The playground has none.'
    case 'roots/list':
      return 'It asks which folders its caller works in. The playground has none.'
    default:
      return 'It asks for something that the playground does not know.'
  }
}

export const canBeSent = (questions: readonly ToolQuestion[]): boolean =>
  questions.every(({ kind }) => kind === 'form' || kind === 'address')

/** Only questions to people can be declined. */
export const canBeDeclined = (questions: readonly ToolQuestion[]): boolean =>
  questions.length > 0 && questions.every(({ kind }) => kind !== 'not_for_people')

export const blankAnswers = (questions: readonly ToolQuestion[]): Typed =>
  Object.fromEntries(
    questions.map((question) => [
      question.name,
      question.kind === 'form' ? initialValues(question.fields) : {},
    ]),
  )

/** What was typed; agreement to what takes no typing. */
export function readAnswers(questions: readonly ToolQuestion[], typed: Typed): AnswersReading {
  const answers: QuestionAnswers = {}
  const errors: Record<string, Readonly<Record<string, string>>> = {}
  for (const question of questions) {
    answers[question.name] = { action: 'accept' }
    if (question.kind !== 'form') continue
    const read = readFields(question.fields, typed[question.name] ?? {})
    if (read.kind === 'wrong') errors[question.name] = read.errors
    else answers[question.name] = { action: 'accept', content: read.value }
  }
  return Object.keys(errors).length > 0 ? { kind: 'wrong', errors } : { kind: 'answers', answers }
}

/** The same for every question. */
export const refusingAnswers = (
  questions: readonly ToolQuestion[],
  action: Exclude<PlaygroundAnswer['action'], 'accept'>,
): QuestionAnswers => Object.fromEntries(questions.map(({ name }) => [name, { action }]))
