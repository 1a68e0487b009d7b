/**
 * Private addresses that operators allow without a restart, besides the blocks of `GATEHOUSE_ALLOW_PRIVATE`.
 *
 * 1. `asked-addresses.ts` finds what an operator means: an address, or those that a name resolves to now. Names are not
 *    stored as such, so that who answers for a name later cannot lead us to other addresses.
 * 2. The change is written with its audit entry, and every process knows it when the call returns (`keys/replicas/`).
 * 3. `stored-addresses.ts` has them in memory. The guard (`platform/egress/address-policy.ts`) asks it before each
 *    connection and each exchange.
 *
 * Somebody at the console may have been talked into it, so what a cloud tells its machines, link-local and reserved addresses
 * are for the environment alone, which needs the machine.
 *
 * Limitations: an exchange, a stream or a WebSocket that is open when its address is revoked goes on until it ends. The file is
 * refused at the next start when it names an address that was revoked.
 */
import {
  type AllowedAddressList,
  type AllowedNow,
  allowedAddressBounds,
} from '../../shared/allowed-addresses.ts'
import type { Audit, ChangedBy } from '../audit/audit.ts'
import type { KeyReplicas } from '../keys/key-replicas.ts'
import type { Database } from '../platform/database.ts'
import { createAddressPolicy, readAddress } from '../platform/egress/address-policy.ts'
import type { Resolve } from '../platform/egress/checked-addresses.ts'
import { fault } from '../platform/fault.ts'
import { findAskedAddresses } from './asked-addresses.ts'
import { addAllowedAddress, readAllowedAddresses, removeAllowedAddress } from './store.ts'

interface AllowedAddressesOptions {
  readonly database: Database
  readonly replicas: Pick<KeyReplicas, 'change'>
  readonly record: Audit['record']
  /** The addresses and CIDR blocks of the environment. */
  readonly environment: readonly string[]
  readonly resolve: Resolve
  /** Epoch ms. */
  readonly now: () => number
}

export type AllowedAddresses = ReturnType<typeof createAllowedAddresses>

export function createAllowedAddresses(options: AllowedAddressesOptions) {
  const { database, replicas, record, environment, resolve, now } = options
  const isOfEnvironment = createAddressPolicy(environment)

  return {
    list: async (): Promise<AllowedAddressList> => ({
      addresses: await database.run(readAllowedAddresses),
      environment,
    }),

    /** Faults: `invalid_request` for what cannot be allowed, `conflict` where there are too many. */
    async allow(by: ChangedBy, given: string): Promise<AllowedNow> {
      const { name, addresses } = await findAskedAddresses(given, resolve)
      const { result, propagated } = await replicas.change('allowed_address', async (sql) => {
        const stored = new Set((await readAllowedAddresses(sql)).map(({ address }) => address))
        const allowed = addresses.filter((address) => !stored.has(address) && !isOfEnvironment(address))
        if (stored.size + allowed.length > allowedAddressBounds.addresses)
          throw fault(
            'conflict',
            `There may be ${allowedAddressBounds.addresses} allowed addresses: revoke some first, or name their block in GATEHOUSE_ALLOW_PRIVATE`,
          )
        for (const address of allowed) {
          await addAllowedAddress(sql, { address, name, allowedBy: by.actor.label, allowedAt: now() })
          const subject = { kind: 'address', id: address } as const
          await record(sql, { ...by, action: 'address.allow', subject, after: { name } })
        }
        const already = addresses.filter((address) => !allowed.includes(address))
        return { ids: allowed, result: { allowed, already } }
      })
      return { ...result, propagated }
    },

    /** No connection is opened to it any more, and none that is kept is used. Faults: `not_found`; `conflict` for one of the environment. */
    async revoke(by: ChangedBy, given: string): Promise<{ address: string; propagated: boolean }> {
      const address = readAddress(given)?.text ?? given
      const { propagated } = await replicas.change('allowed_address', async (sql) => {
        const before = (await readAllowedAddresses(sql)).find((one) => one.address === address)
        if (before === undefined) throw notAllowed(isOfEnvironment(address))
        await removeAllowedAddress(sql, address)
        const subject = { kind: 'address', id: address } as const
        await record(sql, { ...by, action: 'address.revoke', subject, before: { name: before.name } })
        return { ids: [address], result: null }
      })
      return { address, propagated }
    },
  }
}

const notAllowed = (isElsewhere: boolean) =>
  isElsewhere
    ? fault(
        'conflict',
        'No operator allowed this address: it may be reached by GATEHOUSE_ALLOW_PRIVATE or is public',
      )
    : fault('not_found', 'No operator allowed this address')
