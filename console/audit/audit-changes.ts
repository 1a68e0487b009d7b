import type { AuditFacts, JsonValue } from '../../shared/audit.ts'
import { absoluteTime } from '../ui/relative-time.ts'
import { withCapital } from '../ui/sentence.ts'

/** One field of the thing that an entry is about. Null: it had none, or there was no thing. */
export interface FieldChange {
  readonly field: string
  readonly title: string
  readonly before: string | null
  readonly after: string | null
}

export interface Changes {
  readonly changed: readonly FieldChange[]
  /** Titles of fields that are the same before and after. */
  readonly unchanged: readonly string[]
}

const isSame = ({ before, after }: FieldChange): boolean => before === after

/** What an entry says of before and after, field by field. */
export function changesOf(before: AuditFacts | null, after: AuditFacts | null): Changes {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const changes = fields.map((field): FieldChange => ({
    field,
    title: fieldTitle(field),
    before: textOf(field, before?.[field]),
    after: textOf(field, after?.[field]),
  }))
  return {
    changed: changes.filter((change) => !isSame(change)),
    unchanged: changes.filter(isSame).map(({ title }) => title),
  }
}

const capitals: Readonly<Record<string, string>> = { id: 'ID', ip: 'IP', ips: 'IPs', url: 'URL' }

/** `allowedIps` becomes `Allowed IPs`. */
export function fieldTitle(field: string): string {
  const parts = field
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_]+/)
    .filter((part) => part !== 'is' && part !== '')
    .map((part) => capitals[part.toLowerCase()] ?? part.toLowerCase())
  const words = (parts.at(-1) === 'at' ? parts.slice(0, -1) : parts).join(' ')
  return withCapital(words)
}

/** Instants carry their unit in the name: `expiresAt`, and `until` of a maintenance. */
const isInstant = (field: string): boolean => /(?:At|^until)$/.test(field)

function textOf(field: string, value: JsonValue | undefined): string | null {
  if (value === undefined) return null
  if (value === null || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return isInstant(field) ? absoluteTime(value) : String(value)
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(itemText).join('\n')
  return JSON.stringify(value, null, 2)
}

const itemText = (item: JsonValue): string => (typeof item === 'string' ? item : JSON.stringify(item))
