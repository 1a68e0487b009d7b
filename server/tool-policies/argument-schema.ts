import { Ajv2020, type KeywordDefinition, type Options, str } from 'ajv/dist/2020.js'

import { toolPolicyBounds } from '../../shared/tool-policies.ts'
import { type Expression, ExpressionError, parseExpression, searchedChars } from '../platform/expression.ts'
import { isDecimalMultiple } from './decimal-multiple.ts'
import { createHasVariant } from './name-variants.ts'

/** The schema has a keyword that is not taken, or a mistake. The message says which, and never repeats the schema. */
export class ArgumentSchemaError extends Error {
  override readonly name = 'ArgumentSchemaError'
}

type ArgumentSchema = Readonly<Record<string, unknown>>

/** Checks arguments. Returns null when they fit, else what is wrong in words; no value of the caller is repeated. */
export type CheckArguments = (args: Readonly<Record<string, unknown>>) => string | null

/**
 * The keywords that are taken. Each costs at most the product of the schema and the arguments: no references, which could
 * go round, and no `uniqueItems`, which compares everything with everything. `format` would not be checked.
 */
const withSchemas = [
  'not',
  'if',
  'then',
  'else',
  'additionalProperties',
  'propertyNames',
  'items',
  'contains',
]
const withSchemaLists = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const withSchemaMaps = ['properties', 'dependentSchemas']
const plainKeywords = (
  'type enum const required dependentRequired minProperties maxProperties minItems maxItems minContains maxContains ' +
  'minLength maxLength pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf ' +
  'title description $comment $schema default examples deprecated'
).split(' ')
const taken = new Set([...withSchemas, ...withSchemaLists, ...withSchemaMaps, ...plainKeywords])

const maxDepth = 12
/** Values of the arguments that are looked at. */
const maxValues = 10_000
/** Schemas that are looked at for names, counted for each value: a check of so many takes about a second. */
const maxNameChecks = 500_000

/** The arguments are too much to be checked in a moment. */
class TooMuchToCheck extends Error {}

/** What the check that is running may still spend. */
interface Budget {
  left: number
}

function spend(budget: Budget, amount: number): void {
  budget.left -= amount
  if (budget.left < 0) throw new TooMuchToCheck()
}

/** Has the library use expressions that cannot backtrack, and that search no more characters than the budget has. */
const searchersWithin = (budget: Budget) =>
  Object.assign(
    (pattern: string) => {
      const expression: Expression = parseExpression(pattern)
      return {
        test(text: string): boolean {
          spend(budget, text.length)
          return expression.isIn(text)
        },
        toString: () => pattern, // under which the library keeps it
      }
    },
    { code: 'searchersWithin' },
  )

/** Throws ArgumentSchemaError where a schema is not taken, before it is saved. */
export function requireArgumentSchema(schema: ArgumentSchema): void {
  if (JSON.stringify(schema).length > toolPolicyBounds.schemaBytes)
    throw new ArgumentSchemaError(`is larger than ${toolPolicyBounds.schemaBytes} bytes`)
  requireTaken(schema, 0)
  compiled(schema, { left: Number.POSITIVE_INFINITY }, { validateSchema: true })
}

/** Makes the check of a schema that was taken. */
export function compileArgumentSchema(schema: ArgumentSchema): CheckArguments {
  const budget = { left: 0 }
  const validate = compiled(schema, budget, { meta: false, validateSchema: false })
  const nameChecks = { left: 0 }
  const hasVariant = createHasVariant(schema, (schemas) => spend(nameChecks, schemas))
  return (args) => {
    if (isTooMany(args)) return tooMuch
    budget.left = searchedChars
    nameChecks.left = maxNameChecks
    try {
      if (hasVariant(args)) return inAnotherCase
      if (validate(args) === true) return null
    } catch (error) {
      if (error instanceof TooMuchToCheck) return tooMuch
      throw error
    }
    const [first] = validate.errors ?? []
    return first === undefined ? 'do not fit' : wordsFor(first)
  }
}

const tooMuch = 'are too long to be checked'
const inAnotherCase = 'have a name that the rule writes in another case'

interface Wrong {
  readonly instancePath: string
  readonly keyword: string
  readonly message?: string
}

/** An unknown argument is the caller's own word, so it is not named. */
const wordsFor = ({ instancePath, keyword, message = 'does not fit' }: Wrong): string =>
  keyword === 'additionalProperties' || instancePath === ''
    ? message
    : `${instancePath.slice(0, 100)} ${message}`

/** Takes the place of the library's keyword, which divides binary numbers. */
const multipleOf = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  compile: (divisor: number) => (value: number) => isDecimalMultiple(value, divisor),
  error: { message: ({ schemaCode }) => str`must be multiple of ${schemaCode}` },
} satisfies KeywordDefinition

/** An instance for each schema: one for all would keep every schema for as long as the process lives. */
function compiled(schema: ArgumentSchema, budget: Budget, checked: Options) {
  const code = { regExp: searchersWithin(budget) }
  try {
    return new Ajv2020({ strict: false, ownProperties: true, logger: false, code, ...checked })
      .removeKeyword(multipleOf.keyword)
      .addKeyword(multipleOf)
      .compile(schema)
  } catch (error) {
    if (error instanceof ExpressionError)
      throw new ArgumentSchemaError(`has a pattern that is not taken: ${error.message}`)
    if (!(error instanceof Error)) throw error
    throw new ArgumentSchemaError('is no valid JSON Schema (2020-12)')
  }
}

function requireTaken(schema: unknown, depth: number): void {
  if (typeof schema === 'boolean') return
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw new ArgumentSchemaError('has something that is no schema where one is expected')
  if (depth > maxDepth) throw new ArgumentSchemaError(`is nested more than ${maxDepth} deep`)
  for (const [keyword, value] of Object.entries(schema)) {
    if (!taken.has(keyword))
      throw new ArgumentSchemaError(
        `has a keyword that is not taken, expected one of ${[...taken].filter((name) => !name.startsWith('$')).join(', ')}`,
      )
    for (const inner of innerSchemas(keyword, value)) requireTaken(inner, depth + 1)
  }
}

function innerSchemas(keyword: string, value: unknown): readonly unknown[] {
  if (withSchemas.includes(keyword)) return [value]
  if (withSchemaLists.includes(keyword)) return Array.isArray(value) ? value : [null]
  if (!withSchemaMaps.includes(keyword)) return []
  return typeof value === 'object' && value !== null ? Object.values(value) : [null]
}

function isTooMany(args: unknown): boolean {
  const left = [args]
  for (let seen = 0; left.length > 0; seen += 1) {
    if (seen > maxValues) return true
    const value = left.pop()
    if (typeof value !== 'object' || value === null) continue
    const inner = Object.values(value)
    if (inner.length > maxValues) return true
    left.push(...inner)
  }
  return false
}
