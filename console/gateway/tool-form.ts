import { type Fields, isFields } from '../../shared/fields.ts'

/** What the form has for one argument of a tool. */
export interface ArgumentField {
  readonly name: string
  readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'choice'
  /** Of a choice. */
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly isRequired: boolean
  readonly hint: string
  readonly initial: string
}

export type ArgumentValues = Readonly<Record<string, string>>

export type ArgumentReading =
  | { readonly kind: 'value'; readonly value: Record<string, string | number | boolean> }
  | { readonly kind: 'wrong'; readonly errors: Readonly<Record<string, string>> }

const mostFields = 30

/** One field for each argument; null: the schema is not flat, so its arguments are written as JSON. */
export function argumentFieldsOf(schema: unknown): ArgumentField[] | null {
  if (!isFields(schema)) return []
  const { properties = {}, required } = schema
  if (!isFields(properties) || Object.keys(properties).length > mostFields) return null
  if (['anyOf', 'oneOf', 'allOf', '$ref', 'if'].some((keyword) => keyword in schema)) return null
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  const fields = Object.entries(properties).map(([name, property]) =>
    fieldOf(name, property, needed.includes(name)),
  )
  const flat = fields.filter((field) => field !== null)
  return flat.length === fields.length ? flat : null
}

function fieldOf(name: string, property: unknown, isRequired: boolean): ArgumentField | null {
  if (!isFields(property)) return null
  const { type, title, description, default: initial } = property
  const hint = [description, title].find((text) => typeof text === 'string') ?? ''
  const common = { name, isRequired, hint, options: [], initial: initialText(initial) }
  if (Array.isArray(property['enum']) || Array.isArray(property['oneOf'])) {
    const options = optionsOf(property)
    return options === null ? null : { ...common, kind: 'choice', options }
  }
  switch (type) {
    case 'string':
      return { ...common, kind: 'text' }
    case 'number':
    case 'integer':
    case 'boolean':
      return { ...common, kind: type }
    default:
      return null
  }
}

/** Of `enum`, whose names may stand beside it, or of constants with titles; null: not all of them are texts. */
function optionsOf({ enum: values, enumNames, oneOf }: Fields): ArgumentField['options'] | null {
  const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : []
  const all: readonly unknown[] = Array.isArray(values)
    ? values.map((value, place) => ({ const: value, title: names[place] }))
    : Array.isArray(oneOf)
      ? oneOf
      : []
  const options = all.map((one) => {
    if (!isFields(one) || typeof one['const'] !== 'string') return null
    const { const: value, title } = one
    return { value, label: typeof title === 'string' ? title : value }
  })
  const texts = options.filter((option) => option !== null)
  return texts.length === options.length ? texts : null
}

const initialText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

export const initialValues = (fields: readonly ArgumentField[]): ArgumentValues =>
  Object.fromEntries(fields.map(({ name, initial }) => [name, initial]))

/** What is left empty is not sent. */
export function readFields(fields: readonly ArgumentField[], values: ArgumentValues): ArgumentReading {
  const value: Record<string, string | number | boolean> = {}
  const errors: Record<string, string> = {}
  for (const field of fields) {
    const text = values[field.name] ?? ''
    if (text === '') {
      if (field.isRequired) errors[field.name] = 'It has to be there.'
      continue
    }
    const read = readField(field, text)
    if (read === null) errors[field.name] = field.kind === 'integer' ? 'A whole number.' : 'A number.'
    else value[field.name] = read
  }
  return Object.keys(errors).length > 0 ? { kind: 'wrong', errors } : { kind: 'value', value }
}

function readField({ kind }: ArgumentField, text: string): string | number | boolean | null {
  if (kind === 'boolean') return text === 'true'
  if (kind !== 'number' && kind !== 'integer') return text
  const number = Number(text)
  return Number.isFinite(number) && (kind === 'number' || Number.isInteger(number)) ? number : null
}

/** Arguments as JSON; a text in place of an object is why it is none. */
export function readJsonArgument(text: string): Record<string, unknown> | string {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? { ...value } : 'Expected an object, such as {"message": "hello"}.'
  } catch (error) {
    return `Not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}`
  }
}

/** Where to begin when arguments are written as JSON: one entry for each that is required. */
export function skeletonOf(schema: unknown): string {
  if (!isFields(schema) || !isFields(schema['properties'])) return '{}'
  const properties = schema['properties']
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const names = Object.keys(properties).filter((name) => required.includes(name))
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, blankOf(properties[name])])), null, 2)
}

function blankOf(property: unknown): unknown {
  if (!isFields(property)) return null
  if ('default' in property) return property['default']
  const blanks: Readonly<Record<string, unknown>> = {
    string: '',
    number: 0,
    integer: 0,
    boolean: false,
    array: [],
    object: {},
  }
  return blanks[String(property['type'])] ?? null
}
