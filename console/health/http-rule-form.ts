import type { HttpRule, JsonRule } from '../../shared/health.ts'
import type { FieldErrors } from '../forms/field-errors.ts'

/** The fields of a rule as they are typed. */
export interface HttpRuleForm {
  method: HttpRule['method']
  statuses: string
  contains: string
  matches: string
  jsonPath: string
  /** A value in JSON, or a text as it is; empty: any. */
  jsonEquals: string
  jsonMin: string
  jsonMax: string
  body: string
  redirects: string
}

export const emptyHttpRuleForm = (): HttpRuleForm => ({
  method: 'GET',
  statuses: '200',
  contains: '',
  matches: '',
  jsonPath: '',
  jsonEquals: '',
  jsonMin: '',
  jsonMax: '',
  body: '',
  redirects: '',
})

const textOf = (value: number | undefined): string => (value === undefined ? '' : String(value))

/** A text that would be read as another value is written in quotes. */
const jsonText = (value: JsonRule['equals']): string => {
  if (value === undefined) return ''
  return typeof value === 'string' && typeof readValue(value) === 'string' ? value : JSON.stringify(value)
}

export const httpRuleFormOf = (rule: HttpRule): HttpRuleForm => ({
  method: rule.method,
  statuses: rule.statuses.join(', '),
  contains: rule.contains ?? '',
  matches: rule.matches ?? '',
  jsonPath: rule.json?.path ?? '',
  jsonEquals: jsonText(rule.json?.equals),
  jsonMin: textOf(rule.json?.min),
  jsonMax: textOf(rule.json?.max),
  body: rule.body ?? '',
  redirects: textOf(rule.redirects),
})

const statusesOf = ({ statuses }: HttpRuleForm): number[] =>
  statuses
    .split(/[\s,;]+/)
    .filter((text) => text !== '')
    .map(Number)

const numbers = {
  'rule.json.min': 'jsonMin',
  'rule.json.max': 'jsonMax',
  'rule.redirects': 'redirects',
} as const

/** Returns what cannot be read. The server says what is not allowed. */
export function httpRuleErrors(form: HttpRuleForm): FieldErrors {
  const statuses = statusesOf(form)
  const areStatuses = statuses.length > 0 && statuses.every((status) => Number.isInteger(status))
  const unread = Object.entries(numbers).filter(([, key]) => Number.isNaN(Number(form[key])))
  const hasPath = form.jsonPath.trim() !== ''
  const isAsked = [form.jsonEquals, form.jsonMin, form.jsonMax].some((text) => text.trim() !== '')
  return {
    ...(!areStatuses && { 'rule.statuses': 'Status codes such as 200, 204.' }),
    ...(isAsked && !hasPath && { 'rule.json.path': 'Required with a value or bounds.' }),
    ...Object.fromEntries(unread.map(([field]) => [field, 'A number, please.'])),
  }
}

function readValue(text: string): string | number | boolean | null {
  try {
    const value: unknown = JSON.parse(text)
    if (
      value === null ||
      typeof value === 'boolean' ||
      typeof value === 'number' ||
      typeof value === 'string'
    )
      return value
    return text
  } catch {
    return text
  }
}

export function httpRuleOf(form: HttpRuleForm): HttpRule {
  const { method, contains, matches, jsonPath, jsonEquals, jsonMin, jsonMax, body, redirects } = form
  const json = {
    path: jsonPath.trim(),
    ...(jsonEquals.trim() !== '' && { equals: readValue(jsonEquals.trim()) }),
    ...(jsonMin.trim() !== '' && { min: Number(jsonMin) }),
    ...(jsonMax.trim() !== '' && { max: Number(jsonMax) }),
  }
  return {
    method,
    statuses: statusesOf(form),
    ...(contains !== '' && { contains }),
    ...(matches !== '' && { matches }),
    ...(json.path !== '' && { json }),
    ...(body !== '' && { body }),
    ...(redirects.trim() !== '' && { redirects: Number(redirects) }),
  }
}

/** Every field of a rule that can show what is wrong with it. */
export const httpRuleFields: readonly string[] = [
  'rule.method',
  'rule.statuses',
  'rule.contains',
  'rule.matches',
  'rule.json.path',
  'rule.json.equals',
  'rule.json.min',
  'rule.json.max',
  'rule.body',
  'rule.redirects',
]
