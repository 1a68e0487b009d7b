import { callWith } from '../../scripts/world/console-query-keys.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import { givePastCalls } from '../../scripts/world/past-calls.ts'
import type { PastCalls } from '../../scripts/world/past-calls.ts'

type Use = Omit<PastCalls, 'id' | 'accountId' | 'hint'> & { readonly isDeleted?: true }

/** As an account has them that serves an app, its website and some jobs. */
const uses: readonly Use[] = [
  { name: 'Wallet app', endpoint: 'testnet', perHour: { eth_call: 940, eth_blockNumber: 720, eth_getBalance: 610, eth_chainId: 260, eth_sendRawTransaction: 42 } }, // prettier-ignore
  { name: 'Indexer', endpoint: 'testnet', perHour: { eth_getLogs: 410, eth_getBlockByNumber: 520, eth_getTransactionReceipt: 640 }, errorShare: 0.021 }, // prettier-ignore
  { name: 'Website', endpoint: 'testnet', perHour: { eth_call: 330, eth_blockNumber: 210 } },
  { name: 'Price feed', endpoint: 'archive', perHour: { eth_call: 480 }, errorShare: 0.09 },
  { name: 'Public demo', endpoint: 'testnet', perHour: { eth_call: 120, eth_chainId: 90 }, refused: { hours: 5, byRate: 187, byCredits: 0 } }, // prettier-ignore
  { name: 'Partner sandbox', endpoint: 'testnet', perHour: { eth_getBalance: 75, eth_blockNumber: 40 }, refused: { hours: 9, byRate: 0, byCredits: 31 }, sinceDays: 12 }, // prettier-ignore
  { name: 'Nightly report', endpoint: 'archive', perHour: { eth_getLogs: 25, eth_getBlockByNumber: 30 } },
  { name: 'Load test', endpoint: 'testnet', perHour: { eth_chainId: 260 }, sinceDays: 20, untilDays: 2, isDeleted: true }, // prettier-ignore
]

/**
 * Gives the operator's account these keys, with a past and one call just now; returns their ids by name. The
 * installation has endpoints `testnet` and `archive`. Needs the database, where alone a past can be made.
 */
export async function makeUsedKeys(
  { server, operator }: ConsoleUnderTest,
  { database }: TestDatabase,
): Promise<ReadonlyMap<string, string>> {
  const keys = server.operator.operatorQueryKeys
  const account = operator.address
  const pasts: PastCalls[] = []
  for (const { isDeleted, ...use } of uses) {
    const { name, endpoint } = use
    const made = await keys.create.mutate({ account, name, endpoint })
    const { id, hint } = made.key
    await callWith(server.url, endpoint, made.value)
    const accountId = await accountOf(database, id)
    pasts.push({ ...use, id, hint, accountId })
    if (isDeleted === true) await keys.delete.mutate({ account, id })
  }
  await givePastCalls(database, pasts, Date.now())
  return new Map(pasts.map(({ name, id }) => [name, id]))
}

async function accountOf({ sql }: TestDatabase['database'], keyId: string): Promise<string> {
  const [row] = await sql<{ account_id: string }[]>`SELECT account_id FROM query_keys WHERE id = ${keyId}`
  if (row === undefined) throw new Error('the key that was just made is not there')
  return row.account_id
}
