import { latestInstant } from '../../shared/instants.ts'
import type { KeyListPosition } from './key-store.ts'
import { fault } from '../platform/fault.ts'

/** Encodes the place behind which the next page begins; opaque to callers. */
export const listCursorOf = ({ createdAt, id }: KeyListPosition): string =>
  Buffer.from(`${createdAt}|${id}`).toString('base64url')

/** Fault: `invalid_request` for a text that `listCursorOf` did not make. */
export function listPositionIn(cursor: string): KeyListPosition {
  const [, createdAt = '', id = ''] =
    /^(\d{1,15})\|([\x21-\x7e]{1,64})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (id !== '' && Number(createdAt) <= latestInstant) return { createdAt: Number(createdAt), id }
  throw fault(
    'invalid_request',
    'query parameter cursor: expected nextCursor of an answer to the same question',
  )
}
