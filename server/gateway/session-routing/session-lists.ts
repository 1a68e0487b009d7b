import * as z from 'zod/mini'

import { GatewaySessionView } from '../../../shared/gateway.ts'
import type { GatewaySessionList } from '../../../shared/session-lists.ts'
import { randomHex } from '../../platform/ids.ts'
import { type StoreConnection, listIn } from '../../platform/shared-store/store-connection.ts'
import { StoreLost, ignoreLoss } from '../../platform/shared-store/store-link.ts'
import type { SessionListFrame, SessionListRequest } from './frame.ts'
import type { RemoteProcesses } from './remote-processes.ts'
import { listenersScript } from './scripts.ts'
import { channelKey, processOfChannel } from './store-keys.ts'

/** The account whose sessions are listed; null lists those of every account. */
type Owner = string | null

type Views = readonly GatewaySessionView[]

export interface SessionLists {
  /**
   * Lists the sessions of every process, ordered by last use. Never rejects: processes that did not answer are
   * counted in `silent`.
   */
  list(owner: Owner): Promise<GatewaySessionList>
  receive(from: string, frame: SessionListFrame, bytes: Uint8Array): void
}

interface SessionListsOptions {
  readonly remotes: Pick<RemoteProcesses, 'send' | 'isReady' | 'connection'>
  /** The id of this process. */
  readonly processId: string
  listHere(owner: Owner): Views
}

/** The pending answer of one process. */
interface Expected {
  readonly process: string
  readonly views: GatewaySessionView[]
  finish(answer: 'complete' | 'silent'): void
}

/** People wait for the list, and a healthy process answers in a few milliseconds. */
const answerWithinMs = 1_000
const sessionsInFrame = 200

const ViewsInFrame = z.array(GatewaySessionView)

export function createSessionLists({ remotes, processId, listHere }: SessionListsOptions): SessionLists {
  const expected = new Map<string, Expected>()

  /** Asks one process. `silent`: the process is present but did not answer in time. */
  async function ask(process: string, owner: Owner): Promise<Views | 'silent' | 'gone'> {
    const call = randomHex(12)
    const told = Promise.withResolvers<'complete' | 'silent'>()
    const one: Expected = { process, views: [], finish: told.resolve }
    expected.set(call, one)
    const timer = setTimeout(() => one.finish('silent'), answerWithinMs)
    try {
      const sent = await remotes.send(process, { kind: 'list', call, owner })
      if (sent !== 'sent') return sent === 'gone' ? 'gone' : 'silent'
      return (await told.promise) === 'complete' ? one.views : 'silent'
    } finally {
      clearTimeout(timer)
      expected.delete(call)
    }
  }

  async function askAll(owner: Owner): Promise<Awaited<ReturnType<typeof ask>>[]> {
    if (!remotes.isReady()) throw new StoreLost('not ready')
    const listeners = await listenersAt(remotes.connection)
    const others = listeners.filter((process) => process !== processId)
    return Promise.all(others.map((process) => ask(process, owner)))
  }

  async function answer(asker: string, { call, owner }: SessionListRequest): Promise<void> {
    const all = listHere(owner)
    for (let first = 0, isLast = false; !isLast; first += sessionsInFrame) {
      isLast = first + sessionsInFrame >= all.length
      const bytes = new TextEncoder().encode(JSON.stringify(all.slice(first, first + sessionsInFrame)))
      if ((await remotes.send(asker, { kind: 'listed', call, isLast }, bytes)) !== 'sent') return
    }
  }

  return {
    async list(owner) {
      const here = listHere(owner)
      try {
        const asked = await askAll(owner)
        const there = asked.filter((one) => one !== 'gone')
        const answered = there.filter((one) => one !== 'silent')
        return {
          sessions: [here, ...answered].flat().toSorted((one, other) => one.lastUsedAt - other.lastUsedAt),
          processes: 1 + there.length,
          silent: there.length - answered.length,
        }
      } catch (error) {
        if (!(error instanceof StoreLost)) throw error
        return { sessions: here, processes: null, silent: 0 }
      }
    },

    receive(from, frame, bytes) {
      if (frame.kind === 'list') return void answer(from, frame).catch(ignoreLoss)
      const one = expected.get(frame.call)
      if (one?.process !== from) return
      const read = ViewsInFrame.safeParse(JSON.parse(new TextDecoder().decode(bytes)))
      // During an update another version of ours may describe its sessions otherwise.
      if (!read.success) return one.finish('silent')
      one.views.push(...read.data)
      if (frame.isLast) one.finish('complete')
    },
  }
}

/**
 * Returns every process that has a listener. One that was disconnected may be among them; it then turns out to
 * be gone.
 */
async function listenersAt(connection: StoreConnection): Promise<string[]> {
  const channels = listIn(await connection.run(listenersScript, [], [channelKey('*')]))
  return channels.map((channel) => processOfChannel(String(channel)))
}
