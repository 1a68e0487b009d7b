import { describe, expect, test } from 'bun:test'

import {
  blankAnswers,
  canBeDeclined,
  canBeSent,
  questionsOf,
  readAnswers,
  refusingAnswers,
} from './tool-questions.ts'

const elicitation = (params: object) => ({ method: 'elicitation/create', params })
const asked = (inputRequests: object) => questionsOf({ resultType: 'input_required', inputRequests })

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Your name' },
    age: { type: 'integer', default: 30 },
    plan: { type: 'string', oneOf: [{ const: 'a', title: 'Archive' }, { const: 'b' }] },
    isFast: { type: 'boolean' },
  },
  required: ['name'],
}

describe('a form', () => {
  const questions = asked({ who: elicitation({ message: 'Who are you?', requestedSchema: schema }) })

  test('has a field for each property, and choices under their titles', () => {
    const [question] = questions
    expect(question).toMatchObject({ kind: 'form', name: 'who', message: 'Who are you?' })
    expect(question?.kind === 'form' && question.fields).toMatchObject([
      { name: 'name', kind: 'text', hint: 'Your name', isRequired: true },
      { name: 'age', kind: 'integer', initial: '30' },
      {
        name: 'plan',
        kind: 'choice',
        options: [
          { value: 'a', label: 'Archive' },
          { value: 'b', label: 'b' },
        ],
      },
      { name: 'isFast', kind: 'boolean' },
    ])
    expect([canBeSent(questions), canBeDeclined(questions)]).toEqual([true, true])
  })

  test('is read into the answer that the protocol wants, or what is wrong with it', () => {
    const blank = blankAnswers(questions)
    expect(readAnswers(questions, blank)).toEqual({
      kind: 'wrong',
      errors: { who: { name: 'It has to be there.' } },
    })
    const typed = { who: { ...blank['who'], name: 'Ada', plan: 'a', isFast: 'false' } }
    expect(readAnswers(questions, typed)).toEqual({
      kind: 'answers',
      answers: { who: { action: 'accept', content: { name: 'Ada', age: 30, plan: 'a', isFast: false } } },
    })
    expect(refusingAnswers(questions, 'decline')).toEqual({ who: { action: 'decline' } })
  })
})

test('an address is agreed to without content', () => {
  const url = 'https://example.com/sign'
  const questions = asked({ go: elicitation({ mode: 'url', url, message: 'Sign there' }) })
  expect(questions).toEqual([{ kind: 'address', name: 'go', message: 'Sign there', address: url }])
  expect(readAnswers(questions, {})).toEqual({ kind: 'answers', answers: { go: { action: 'accept' } } })
})

test.each([
  { type: 'object', properties: { many: { type: 'array', items: { type: 'string' } } } },
  { type: 'object', properties: { some: { oneOf: [{ const: 1 }] } } },
])('the form %j can be declined only', (requestedSchema) => {
  const questions = asked({ form: elicitation({ message: 'Choose', requestedSchema }) })
  expect(questions).toMatchObject([{ kind: 'other_form', message: 'Choose' }])
  expect([canBeSent(questions), canBeDeclined(questions)]).toEqual([false, true])
})

test.each([
  [{ method: 'sampling/createMessage', params: {} }, 'language model'],
  [{ method: 'roots/list' }, 'folders'],
  [{ method: 'other/thing' }, 'does not know'],
  ['nonsense', 'does not know'],
])('%j cannot be answered, and that is said', (request, words) => {
  const questions = asked({ one: request, form: elicitation({ message: 'Hi', requestedSchema: {} }) })
  expect(questions[0]).toMatchObject({ kind: 'not_for_people', message: expect.stringContaining(words) })
  expect([canBeSent(questions), canBeDeclined(questions)]).toEqual([false, false])
})

test('without questions there is nothing to decline, and the call is made again', () => {
  const questions = questionsOf({ requestState: 'later' })
  expect([canBeSent(questions), canBeDeclined(questions)]).toEqual([true, false])
  expect(readAnswers(questions, {})).toEqual({ kind: 'answers', answers: {} })
})

test('a message of any length is shown in part', () => {
  const [question] = asked({ long: elicitation({ message: 'x'.repeat(1_000_000) }) })
  expect(question?.message).toHaveLength(2_000)
})
