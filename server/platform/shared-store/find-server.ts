import type { StoreAddress, StoreServer } from './store-address.ts'
import { type StoreClient, openStoreClient } from './store-client.ts'
import { StoreLost, StoreRefused, storeFailureOf, within } from './store-failure.ts'

/** The servers that may be asked, which grow with what is learned. */
export interface ServerFinder {
  /** Returns the server that has a key and can be written to, as far as anybody says. Rejects with StoreLost. */
  find(key: string): Promise<StoreServer>
}

export function createServerFinder(address: StoreAddress, deadlineMs: number): ServerFinder {
  const { servers, sentinel } = address
  /** All nodes of a cluster may have changed since the address was written. */
  let known: readonly StoreServer[] = servers

  async function ask<Answer>(
    server: StoreServer,
    login: { user: string | undefined; password: string | undefined },
    question: (client: StoreClient) => Promise<Answer>,
  ): Promise<Answer> {
    const client = await openStoreClient({ address, server, login: { ...login, database: 0 }, deadlineMs })
    try {
      return await within(deadlineMs, question(client))
    } catch (error) {
      throw storeFailureOf(error)
    } finally {
      client.close()
    }
  }

  async function primaryBy(server: StoreServer, { primary, user, password }: NonNullable<typeof sentinel>) {
    const answer = await ask(server, { user, password }, (client) =>
      client.call('SENTINEL', 'get-master-addr-by-name', primary),
    )
    if (answer === null) throw new StoreRefused('its sentinels know no primary of the name in REDIS_URL')
    const [host, port] = listIn(answer).map(String)
    if (host === undefined || port === undefined) throw new StoreLost('an unexpected answer of a sentinel')
    return { host, port: Number(port) }
  }

  async function nodeOf(server: StoreServer, key: string): Promise<StoreServer> {
    const [slot, ranges] = await ask(server, address, async (client) => [
      Number(await client.call('CLUSTER', 'KEYSLOT', key)),
      listIn(await client.call('CLUSTER', 'SLOTS')).map((range) => listIn(range)),
    ])
    const nodes = ranges.map(([from, to, node]) => ({
      from: Number(from),
      to: Number(to),
      at: placeOf(node, server),
    }))
    known = [...servers, ...nodes.map(({ at }) => at)]
    const owner = nodes.find(({ from, to }) => slot >= from && slot <= to)
    if (owner === undefined) throw new StoreLost('its cluster does not serve all keys')
    return owner.at
  }

  return {
    async find(key) {
      let failure = new StoreLost('no server')
      for (const server of known) {
        try {
          if (sentinel !== null) return await primaryBy(server, sentinel)
          return address.kind === 'cluster' ? await nodeOf(server, key) : server
        } catch (error) {
          failure = inOtherWords(storeFailureOf(error), address)
        }
      }
      throw failure
    },
  }
}

/** What a server says that is of another kind than the address. */
function inOtherWords(failure: StoreLost, { kind }: StoreAddress): StoreLost {
  const { cause } = failure
  const said = cause instanceof Error ? cause.message : ''
  if (kind === 'cluster' && said.includes('cluster support disabled'))
    return new StoreRefused('it is no cluster: REDIS_URL must begin with redis:// or rediss://', { cause })
  if (kind === 'sentinel' && /unknown command/i.test(said))
    return new StoreRefused('it is no sentinel: REDIS_URL names sentinels behind +sentinel', { cause })
  return failure
}

/** A node that does not know its own address is where it was asked. */
function placeOf(node: unknown, asked: StoreServer): StoreServer {
  const [host, port] = listIn(node)
  const name = typeof host === 'string' && host !== '' && host !== '?' ? host : asked.host
  return { host: name, port: Number(port) }
}

/** Returns an answer that is a list. Throws StoreLost on anything else. */
export function listIn(answer: unknown): unknown[] {
  if (!Array.isArray(answer)) throw new StoreLost('an unexpected answer')
  return answer
}
