import { longestWindowMs } from '../shared-store/scripts.ts'
import type { Answer } from '../../platform/shared-store/resp.ts'

/** What `membership-scripts.ts` keeps in Redis, for processes that all end together with this one. */
export interface Members {
  /** As `joinScript`. */
  join(values: readonly string[], now: number): Answer
  /** As `leaveScript`. */
  leave(node: string, now: number): Answer
  /** Whether a node may be granted something in an epoch. */
  hasSeat(epoch: string, node: string): boolean
}

interface Member {
  beat: number
  /** The roster that it came with, and the newest that it knows. */
  readonly joined: number
  seen: number
  hasSeat: boolean
}

/**
 * `since`: µs at which the epoch began. There is one epoch only, and nobody is waited for in it: nothing is lost while
 * this process runs, and no process that was granted something outlives it.
 */
export function createMembers(runId: string, since: number): Members {
  const epoch = `${runId}:${since}`
  const members = new Map<string, Member>()
  const departed = new Map<string, number>()
  let roster = 0
  let beat = since

  function giveUp(node: string, now: number): void {
    roster++
    members.delete(node)
    departed.set(node, now)
  }

  function take(node: string, seen: number, now: number): Member {
    const known = members.get(node)
    if (known !== undefined) {
      Object.assign(known, { beat: now, seen })
      return known
    }
    const member = { beat: now, joined: ++roster, seen, hasSeat: false }
    departed.delete(node)
    members.set(node, member)
    return member
  }

  /** Nobody is given up when it is this process that stood still. */
  function giveUpSilent(aliveMicros: number, now: number): void {
    const haveSlept = now - beat > aliveMicros / 2
    for (const [node, member] of byScore(members, ({ beat: at }) => at)) {
      if (member.beat > now - aliveMicros) continue
      if (haveSlept) member.beat = now
      else giveUp(node, now)
    }
  }

  return {
    join([, node = '', alive, knownEpoch, number], now) {
      const member = take(node, knownEpoch === epoch ? Number(number) : 0, now)
      giveUpSilent(Number(alive), now)
      for (const [name, at] of departed) if (at <= now - longestWindowMs * 1_000) departed.delete(name)
      beat = now
      member.hasSeat ||= [...members.values()].every(
        (other) => other === member || other.seen >= member.joined,
      )
      const gone = byScore(departed, (at) => at).flatMap(([name, at]) => [name, String(at)])
      const living = byScore(members, ({ beat: at }) => at).map(([name]) => name)
      return [epoch, now - since, member.hasSeat ? 1 : 0, roster, living, gone, []]
    },
    leave(node, now) {
      if (members.has(node)) giveUp(node, now)
      return 'left'
    },
    hasSeat: (asked, node) => asked === epoch && members.get(node)?.hasSeat === true,
  }
}

/** Equal scores by their names, as Redis has them. */
const byScore = <Value>(all: ReadonlyMap<string, Value>, scoreOf: (value: Value) => number) =>
  [...all].toSorted(
    ([name, value], [otherName, other]) => scoreOf(value) - scoreOf(other) || (name < otherName ? -1 : 1),
  )
