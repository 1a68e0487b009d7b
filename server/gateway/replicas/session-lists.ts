import * as z from 'zod/mini'

import { GatewaySessionView } from '../../../shared/gateway.ts'
import type { GatewaySessionList } from '../../../shared/session-lists.ts'
import { randomHex } from '../../platform/ids.ts'
import { type StoreConnection, listIn } from '../../platform/shared-store/store-connection.ts'
import { StoreLost, ignoreLoss } from '../../platform/shared-store/store-link.ts'
import type { AboutLists, ListQuestion } from './frame.ts'
import type { Peers } from './peers.ts'
import { listenersScript } from './scripts.ts'
import { channelOf, processAt } from './store-keys.ts'

/** Whose sessions; null: everybody's. */
type Owner = string | null

type Views = readonly GatewaySessionView[]

export interface SessionLists {
  /** Of every process of the installation, the latest used last. Never rejects: what could not be asked is told. */
  list(owner: Owner): Promise<GatewaySessionList>
  hear(from: string, frame: AboutLists, bytes: Uint8Array): void
}

interface SessionListsOptions {
  readonly peers: Pick<Peers, 'send' | 'isReady' | 'connection'>
  /** This process. */
  readonly self: string
  listHere(owner: Owner): Views
}

/** What one process is asked for. */
interface Expected {
  readonly process: string
  readonly views: GatewaySessionView[]
  finish(answer: 'complete' | 'silent'): void
}

/** People wait for a list, and a process that works says in a few milliseconds what it has. */
const answerWithinMs = 1_000
const sessionsInFrame = 200

const ViewsInFrame = z.array(GatewaySessionView)

export function createSessionLists({ peers, self, listHere }: SessionListsOptions): SessionLists {
  const expected = new Map<string, Expected>()

  /** `silent`: it is there, and did not answer in time. */
  async function ask(process: string, owner: Owner): Promise<Views | 'silent' | 'gone'> {
    const call = randomHex(12)
    const told = Promise.withResolvers<'complete' | 'silent'>()
    const one: Expected = { process, views: [], finish: told.resolve }
    expected.set(call, one)
    const timer = setTimeout(() => one.finish('silent'), answerWithinMs)
    try {
      const sent = await peers.send(process, { kind: 'list', call, owner })
      if (sent !== 'sent') return sent === 'gone' ? 'gone' : 'silent'
      return (await told.promise) === 'complete' ? one.views : 'silent'
    } finally {
      clearTimeout(timer)
      expected.delete(call)
    }
  }

  async function askAll(owner: Owner): Promise<Awaited<ReturnType<typeof ask>>[]> {
    if (!peers.isReady()) throw new StoreLost('not ready')
    const listeners = await listenersAt(peers.connection)
    const others = listeners.filter((process) => process !== self)
    return Promise.all(others.map((process) => ask(process, owner)))
  }

  async function answer(asker: string, { call, owner }: ListQuestion): Promise<void> {
    const all = listHere(owner)
    for (let first = 0, isLast = false; !isLast; first += sessionsInFrame) {
      isLast = first + sessionsInFrame >= all.length
      const bytes = new TextEncoder().encode(JSON.stringify(all.slice(first, first + sessionsInFrame)))
      if ((await peers.send(asker, { kind: 'listed', call, isLast }, bytes)) !== 'sent') return
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

    hear(from, frame, bytes) {
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

/** Every process that hears what is sent to it. One that was cut off may be among them, and is gone when it is asked. */
async function listenersAt(connection: StoreConnection): Promise<string[]> {
  const channels = listIn(await connection.run(listenersScript, [], [channelOf('*')]))
  return channels.map((channel) => processAt(String(channel)))
}
