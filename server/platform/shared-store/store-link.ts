import { createServerFinder } from './find-server.ts'
import { type ServerState, readServerState } from './server-state.ts'
import { parseStoreAddress } from './store-address.ts'
import { type StoreClient, openStoreClient } from './store-client.ts'
import { StoreLost, storeFailureOf, within } from './store-failure.ts'

/** One connection, to the server that has our keys, which is made anew whenever it is lost. */
export interface StoreLink {
  /** Null: not connected now. */
  client(): StoreClient | null
  /** Gives up the client, if it is still the one in use, and makes another. */
  lose(client: StoreClient, failure: StoreLost): void
  close(): void
}

interface StoreLinkOptions {
  readonly url: string
  /** One of our keys. All of them are in one slot of a cluster, so that one server has them. */
  readonly key: string
  /** Called as soon as a new connection is in use, with what the server says, and with that once a minute from then on. */
  onState(state: ServerState, isNew: boolean): void
  onLost(failure: StoreLost): void
}

/** More than a command may take: nobody waits for it. */
const connectMs = 1_000
const firstPauseMs = 50
const longestPauseMs = 500
const lookAgainMs = 30_000

export function createStoreLink({ url, key, onState, onLost }: StoreLinkOptions): StoreLink {
  const address = parseStoreAddress(url)
  const finder = createServerFinder(address, connectMs)
  let current: StoreClient | null = null
  let pauseMs = firstPauseMs
  let isClosed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const looking = setInterval(() => void lookAgain(), lookAgainMs)
  looking.unref()

  async function connect(): Promise<void> {
    let next: StoreClient | null = null
    try {
      const server = await finder.find(key)
      const opened: StoreClient = await openStoreClient({
        address,
        server,
        login: address,
        deadlineMs: connectMs,
        onClosed: (failure) => lose(opened, failure),
      })
      next = opened
      const state = await stateOf(next)
      if (isClosed || !next.isOpen()) throw new StoreLost('it ended the connection')
      current = next
      pauseMs = firstPauseMs
      onState(state, true)
    } catch (error) {
      next?.close()
      retryAfter(storeFailureOf(error))
    }
  }

  const stateOf = async (client: StoreClient): Promise<ServerState> =>
    readServerState(await within(connectMs, client.call('INFO')), address)

  /** Settings may be changed, and a primary made a replica, without an end of the connection. */
  async function lookAgain(): Promise<void> {
    const client = current
    if (client === null) return
    try {
      onState(await stateOf(client), false)
    } catch (error) {
      lose(client, storeFailureOf(error))
    }
  }

  function retryAfter(failure: StoreLost): void {
    if (isClosed) return
    onLost(failure)
    clearTimeout(timer)
    timer = setTimeout(() => void connect(), pauseMs)
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }

  /** A client that never became the current one is dealt with where it is connected. */
  function lose(lost: StoreClient, failure: StoreLost): void {
    if (current !== lost) return
    current = null
    lost.close()
    retryAfter(failure)
  }

  void connect()

  return {
    client: () => current,
    lose,
    close() {
      isClosed = true
      clearTimeout(timer)
      clearInterval(looking)
      current?.close()
      current = null
    },
  }
}
