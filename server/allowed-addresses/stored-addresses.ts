import type { KeyReplicas } from '../keys/key-replicas.ts'
import type { Database } from '../platform/database.ts'
import { type AddressPolicy, readAddress } from '../platform/egress/address-policy.ts'
import { remembered } from '../platform/remembered.ts'
import { readAllowedAddresses } from './store.ts'

interface StoredAddressesOptions {
  readonly database: Database
  readonly replicas: Pick<KeyReplicas, 'keySync'>
}

/**
 * Keeps the addresses that operators allowed in the memory of this process, and says of an address whether it is one of
 * them. Before they are read for the first time, none is.
 */
export function createStoredAddresses({ database, replicas }: StoredAddressesOptions): AddressPolicy {
  let allowed: ReadonlySet<string> = new Set()
  async function reload(): Promise<void> {
    const stored = await database.run(readAllowedAddresses)
    // What a newer version, a backup or somebody with the database wrote is no way to what operators may not allow.
    const addresses = stored.map(({ address }) => address)
    allowed = new Set(addresses.filter((address) => readAddress(address)?.kind === 'private'))
  }
  replicas.keySync.follow({ kind: 'allowed_address', reload, refresh: reload })
  const canonical = remembered((address) => readAddress(address)?.text ?? address)
  return (address) => allowed.size > 0 && allowed.has(canonical(address))
}
