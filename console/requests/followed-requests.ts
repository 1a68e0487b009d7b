import { cursorAt, newestFirst } from '../../shared/record-position.ts'
import type { ShownRequest } from '../../shared/request-log.ts'
import {
  boundedTo,
  mostRows,
  reaches,
  withNewestPage,
  withOlderPage,
  withoutRepetition,
} from '../record-list.ts'
import type { RecordList } from '../record-list.ts'

export type RequestList = RecordList<ShownRequest, string>

/** What is known of the log, page by page from its newest request on, while more come. */
export interface FollowedRequests {
  readonly list: RequestList
  /** Whether the list has all that was logged from its first row to its last. */
  readonly isWhole: boolean
  /** How many rows it has at most. */
  readonly most: number
  /** What came while the list was held. */
  readonly held: readonly ShownRequest[]
  /** Whether nothing is missing between what is held and the list. */
  readonly isHeldWhole: boolean
}

export const nothingFollowed: FollowedRequests = {
  list: { rows: [], cursor: null },
  isWhole: false,
  most: mostRows,
  held: [],
  isHeldWhole: true,
}

/** Takes the newest page, read anew. */
export function withNewest(known: FollowedRequests, page: RequestList, isHeld: boolean): FollowedRequests {
  const { rows } = known.list
  const [first] = rows
  if (isHeld && first !== undefined) {
    const newer = page.rows.filter((row) => newestFirst(row, first) < 0)
    return holding(known, newer, known.isWhole && reaches(page, [...known.held, ...rows]))
  }
  const [top] = page.rows
  // These came while the page was read. Of a list with holes nothing else stays.
  const newer = rows.filter((row) => top === undefined || newestFirst(row, top) < 0)
  const next = known.isWhole ? withNewestPage(known.list, page) : page
  return showing({ ...known, isWhole: true }, { ...next, rows: inOrder(next.rows, newer) })
}

/** Takes what came live. `isGapless`: nothing else was logged meanwhile. */
export function withLive(
  known: FollowedRequests,
  requests: readonly ShownRequest[],
  { isHeld, isGapless }: { readonly isHeld: boolean; readonly isGapless: boolean },
): FollowedRequests {
  if (isHeld) return holding(known, requests, isGapless)
  const next = showing(known, { ...known.list, rows: inOrder(requests, known.list.rows) })
  return isGapless ? next : { ...next, isWhole: false }
}

/** Shows what was held; null where something is missing between that and the list, which has to begin anew. */
export const withHeldShown = (known: FollowedRequests): FollowedRequests | null =>
  known.isHeldWhole
    ? showing({ ...known, held: [] }, { ...known.list, rows: inOrder(known.held, known.list.rows) })
    : null

export function withOlder(known: FollowedRequests, page: RequestList): FollowedRequests {
  const list = withOlderPage(known.list, page)
  return { ...known, list, most: Math.max(mostRows, list.rows.length) }
}

/** How many are held, as people read it; null: none. */
export function heldCountText({ held, isHeldWhole }: FollowedRequests): string | null {
  if (held.length === 0) return isHeldWhole ? null : 'what is'
  return isHeldWhole ? `${held.length}` : `${held.length} and more`
}

const showing = (known: FollowedRequests, list: RequestList): FollowedRequests => ({
  ...known,
  list: boundedTo(known.most, list, cursorAt),
})

function holding(
  known: FollowedRequests,
  newer: readonly ShownRequest[],
  isGapless: boolean,
): FollowedRequests {
  const held = inOrder(newer, known.held)
  const isHeldWhole = known.isHeldWhole && isGapless && held.length <= mostRows
  return { ...known, held: held.slice(0, mostRows), isHeldWhole }
}

/** Processes tell what they logged one after the other. */
const inOrder = (some: readonly ShownRequest[], others: readonly ShownRequest[]): ShownRequest[] =>
  withoutRepetition(some, others).toSorted(newestFirst)
