import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { NodeClient } from './node-client.ts'
import { NodeError } from './node-error.ts'
import type { AnnouncedNode } from './node-registry.ts'

/** Finds out at once whether the addresses of others do, and whether they still do, in place of failing at the next session. */
export interface Reachability {
  /** The path that every node answers. */
  readonly path: string
  /** Asks nodes that have not answered, each every few seconds, and the others now and then. */
  check(): void
  unreachableCount(): number
}

interface ReachabilityOptions {
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Log
  readonly ownUrl: string | null
  others(): readonly AnnouncedNode[]
  readonly send: NodeClient['send']
}

interface Checked {
  askedAt: number
  /** Whether it answered the latest question. */
  isReached: boolean
  /** Since its latest answer. */
  failures: number
}

const path = '/reachable'
const askEveryMs = 3_000
const askReachedEveryMs = 30_000
const answerWithinMs = 2_000
/** The first failure may be that of a process that is ending. */
const warnedAfter = 2

export function createReachability({ clock, log, ownUrl, others, send }: ReachabilityOptions): Reachability {
  const checked = new Map<string, Checked>()
  const sharedUrls = new Set<string>()

  async function ask({ id, url }: AnnouncedNode, one: Checked): Promise<void> {
    one.askedAt = clock.monotonic()
    try {
      await (await send(id, { path, body: '', headMs: answerWithinMs })).body?.cancel()
      one.isReached = true
      if (one.failures >= warnedAfter) log.info('another process is reached now', { node: id, url })
      one.failures = 0
    } catch (error) {
      if (!(error instanceof NodeError)) throw error
      if (error.failure === 'gone' || error.failure === 'aborted') return
      one.isReached = false
      one.failures += 1
      if (one.failures !== warnedAfter) return
      const fields = { node: id, url, failure: error.failure }
      if (error.failure === 'refused') log.warn(answeredByAnother, fields)
      else log.warn(notReached, fields)
    }
  }

  function warnOfSharedUrls(nodes: readonly AnnouncedNode[]): void {
    const urls = [...nodes.map(({ url }) => url), ...(ownUrl === null ? [] : [ownUrl])]
    for (const [index, url] of urls.entries()) {
      if (urls.indexOf(url) === index || sharedUrls.has(url)) continue
      sharedUrls.add(url)
      log.warn(announcedTwice, { url })
    }
  }

  return {
    path,
    check() {
      const nodes = others()
      const now = clock.monotonic()
      for (const id of checked.keys()) if (!nodes.some((node) => node.id === id)) checked.delete(id)
      for (const node of nodes) {
        const one = checked.get(node.id) ?? {
          askedAt: Number.NEGATIVE_INFINITY,
          isReached: false,
          failures: 0,
        }
        checked.set(node.id, one)
        if (now - one.askedAt >= (one.isReached ? askReachedEveryMs : askEveryMs)) void ask(node, one)
      }
      warnOfSharedUrls(nodes)
    },
    unreachableCount: () =>
      [...checked.values()].filter(({ isReached, failures }) => !isReached && failures > 0).length,
  }
}

const notReached =
  'another process of this installation cannot be reached at the address that it announces: set GATEHOUSE_INTERNAL_URL there to one that this machine can connect to. Its sessions are not available here'
const answeredByAnother =
  'the address that another process announces is answered by something else: by a process with the same GATEHOUSE_INTERNAL_URL, with another master key, or by another program. Its sessions are not available here'
const announcedTwice =
  'two processes announce the same internal address: give each a GATEHOUSE_INTERNAL_URL of its own'
