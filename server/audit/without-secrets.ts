import type { AuditFacts, JsonValue } from '../../shared/audit.ts'
import { isSecretName, redact } from '../platform/redact.ts'

/** As many entries as the lists of an API key may have; inside a larger value, `redact` keeps fewer. */
const maxListed = 100
const maxChars = 32_000

/** Fields as they are recorded: no secrets, bounded, and nothing that PostgreSQL cannot store as jsonb. */
export function withoutSecrets(fields: Readonly<Record<string, unknown>>): AuditFacts {
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

/** What `redact` answers is plain JSON, but its texts may hold what jsonb refuses. */
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

/** PostgreSQL stores neither U+0000 nor half of a surrogate pair. */
export const storableText = (text: string): string => text.replaceAll('\u0000', '\uFFFD').toWellFormed()
