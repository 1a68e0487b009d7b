import { fault } from './fault.ts'

/** Where a page of records ends, the newest first: the instant of the last one (epoch ms), and its id beside equal ones. */
export interface RecordPosition {
  readonly at: number
  readonly id: string
}

/** The `nextCursor` of a page that ends here. */
export const cursorAt = ({ at, id }: RecordPosition): string => `${at}.${id}`

/** Reads the parameter `before`. Fault: `invalid_request` for a text that no page gave. */
export function positionBefore(cursor: string): RecordPosition {
  const [, at, id] = /^(\d{1,13})\.([\w-]{1,40})$/.exec(cursor) ?? []
  if (at !== undefined && id !== undefined) return { at: Number(at), id }
  throw fault('invalid_request', 'before: expected the nextCursor of another page')
}
