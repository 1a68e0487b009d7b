/**
 * Global search: finds what has a name (services, keys, endpoints, connections, registry entries) for the palette of the
 * console, in one query.
 *
 * 1. `procedures.ts` takes the text that somebody typed.
 * 2. Each domain offers a source, all of which are asked at once; `compose/search-sources.ts` says what each has. Whoever
 *    asks finds only what the pages of the console would show them.
 * 3. `match.ts` says how well a text fits a name.
 *
 * Failure: a source that fails, because the database is away for instance, is named in the answer, and the others are not
 * affected.
 *
 * Known limitation: at most five of a kind are found; the pages of the console narrow their lists down further.
 */
import {
  type FoundKind,
  type FoundThing,
  type GlobalSearchAnswer,
  foundKinds,
} from '../../shared/global-search.ts'
import type { Log } from '../platform/log.ts'
import { createRank } from './match.ts'

/** Who searches. */
export interface Searcher {
  /** Null: the command line. */
  readonly accountId: string | null
  readonly isOperator: boolean
}

/** Returns at most `mostOfKind` things that fit a text without spaces around it, the best first. */
export type SearchSource = (
  text: string,
  searcher: Searcher,
) => readonly FoundThing[] | Promise<readonly FoundThing[]>

export const mostOfKind = 5

export type GlobalSearch = ReturnType<typeof createGlobalSearch>

export function createGlobalSearch(sources: Readonly<Record<FoundKind, SearchSource>>, log: Log) {
  async function search(typed: string, searcher: Searcher): Promise<GlobalSearchAnswer> {
    const text = typed.trim()
    if (text === '') return { found: [], unsearched: [] }
    const rankOf = createRank(text)
    const answers = await Promise.all(
      foundKinds.map(async (kind) => {
        try {
          return { kind, things: await sources[kind](text, searcher) }
        } catch (error) {
          log.warn('a part of the search failed', { kind, error })
          return { kind, things: null }
        }
      }),
    )
    return {
      found: answers
        .flatMap(({ things }) => things ?? [])
        .map((thing) => ({ thing, rank: rankOf(thing.title, [thing.id, thing.detail]) ?? worstRank }))
        .toSorted((one, other) => one.rank - other.rank) // keeps the order of the kinds among equals
        .map(({ thing }) => thing),
      unsearched: answers.flatMap(({ kind, things }) => (things === null ? [kind] : [])),
    }
  }

  return { search }
}

/** Found by something that is not shown, such as the words of a registry entry. */
const worstRank = 4
