import { readFileSync } from 'node:fs'

import type { StoreAddress, StoreServer } from './store-address.ts'
import { StoreLost, StoreRefused, storeFailureOf, within } from './store-failure.ts'

/** One connection to one server. It is never made anew: whoever needs another opens another. */
export interface StoreClient {
  /** Rejects with what the client throws, see `storeFailureOf`. */
  call(command: string, ...parameters: string[]): Promise<unknown>
  isOpen(): boolean
  close(): void
}

interface StoreLogin {
  readonly user: string | undefined
  readonly password: string | undefined
  readonly database: number
}

interface OpenOptions {
  readonly address: StoreAddress
  readonly server: StoreServer
  /** As whom: sentinels have users of their own. */
  readonly login: StoreLogin
  readonly deadlineMs: number
  /** Called once when a connection that was open is closed by anybody but us. */
  onClosed?(failure: StoreLost): void
}

/**
 * Opens a connection. None of the client's own reconnection is used: a command that waits in a queue would be run later,
 * when its caller has long been answered. Rejects with StoreLost.
 */
export async function openStoreClient(options: OpenOptions): Promise<StoreClient> {
  const { deadlineMs, onClosed } = options
  const { Redis } = await import('ioredis') // most servers have no store, and start sooner without it
  const client = new Redis(clientOptions(options))
  /** The client tells the reason by an event, and rejects with no more than that it is closed. */
  let failure: StoreLost | null = null
  let isOpen = false
  client.on('error', (error: unknown) => {
    failure ??= storeFailureOf(error)
  })
  client.on('close', () => {
    if (!isOpen) return
    isOpen = false
    onClosed?.(failure ?? new StoreLost('it ended the connection'))
  })
  const close = (): void => {
    isOpen = false
    client.disconnect()
  }
  try {
    await within(deadlineMs, client.connect())
  } catch (error) {
    close()
    throw failure ?? storeFailureOf(error)
  }
  // What is told by an event alone while the connection stays: a password that is refused.
  if (failure !== null) {
    close()
    throw failure
  }
  isOpen = true
  return {
    call: (command, ...parameters) => client.call(command, ...parameters),
    isOpen: () => isOpen,
    close,
  }
}

function clientOptions({ address, server, login, deadlineMs }: OpenOptions) {
  return {
    ...(address.socketPath === null
      ? { host: server.host, port: server.port }
      : { path: address.socketPath }),
    ...(login.user !== undefined && { username: login.user }),
    ...(login.password !== undefined && { password: login.password }),
    db: login.database,
    ...(address.isTls && { tls: tlsOptions(address) }),
    connectTimeout: deadlineMs,
    lazyConnect: true,
    enableOfflineQueue: false,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (): null => null,
    autoResubscribe: false,
    disableClientInfo: true,
    // Proxies and older servers do not know the newer one, and nothing here needs it.
    protocol: 2,
  } as const
}

/** Read for each connection, because authorities are replaced while we run. */
function tlsOptions({ authorities }: StoreAddress): { ca?: string } {
  if (authorities === null) return {}
  try {
    return { ca: readFileSync(authorities, 'utf8') }
  } catch (error) {
    throw new StoreRefused('the file that REDIS_URL names by ?ca cannot be read', { cause: error })
  }
}
