import type { AuditFacts, JsonValue } from '../../shared/audit.ts'
import { isSecretName, redact } from '../platform/redact.ts'

/** Entries of a list that are kept: as many as a list of an API key may have. Inside larger values `redact` keeps fewer. */
const maxListed = 100
const maxChars = 32_000

/** Returns fields as they are recorded: without secrets, bounded in size, and storable by PostgreSQL as jsonb. */
export function redactFields(fields: Readonly<Record<string, unknown>>): AuditFacts {
  const facts: AuditFacts = {}
  for (const [name, value] of Object.entries(fields)) {
    if (Array.isArray(value) && !isSecretName(name)) facts[storableText(name)] = cleanList(value)
    else Object.assign(facts, storable(redact({ [name]: value })))
  }
  return JSON.stringify(facts).length > maxChars ? { leftOut: `more than ${maxChars} characters` } : facts
}

function cleanList(items: readonly unknown[]): JsonValue[] {
  const kept = items.slice(0, maxListed).map((item) => storable(redact(item)))
  return items.length > maxListed ? [...kept, `… (${items.length} items)`] : kept
}

/** Converts the result of `redact`, which is plain JSON but may have texts that jsonb refuses. */
function storable(value: unknown): JsonValue {
  switch (typeof value) {
    case 'string':
      return storableText(value)
    case 'number':
    case 'boolean':
      return value
    case 'object':
      return value === null ? null : storableObject(value)
    default:
      return null
  }
}

function storableObject(value: object): JsonValue {
  if (Array.isArray(value)) return value.map(storable)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [storableText(name), storable(member)]))
}

/** Returns a text that PostgreSQL can store: it refuses U+0000 and lone surrogates. */
export const storableText = (text: string): string => text.replaceAll('\u0000', '\uFFFD').toWellFormed()
