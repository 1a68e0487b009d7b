import type { RecordPosition } from '../../shared/record-position.ts'
import { fault } from './fault.ts'

/** Reads the parameter `before`. Fault: `invalid_request` for a text that no page gave. */
export function positionBefore(cursor: string): RecordPosition {
  const [, at, id] = /^(\d{1,13})\.([\w-]{1,40})$/.exec(cursor) ?? []
  if (at !== undefined && id !== undefined) return { at: Number(at), id }
  throw fault('invalid_request', 'before: expected the nextCursor of another page')
}
