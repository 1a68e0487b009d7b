/** The place of a record in a log: its instant (epoch ms), and its id beside equal ones. */
export interface RecordPosition {
  readonly at: number
  readonly id: string
}

/** Ids of one process are in the order of their records. */
export const isBefore = (record: RecordPosition, position: RecordPosition): boolean =>
  record.at < position.at || (record.at === position.at && record.id < position.id)

/** Compares for a list with the newest first. */
export const newestFirst = (one: RecordPosition, other: RecordPosition): number =>
  isBefore(one, other) ? 1 : isBefore(other, one) ? -1 : 0

/** The `nextCursor` of a page of the newest first that ends with this record. */
export const cursorAt = ({ at, id }: RecordPosition): string => `${at}.${id}`
