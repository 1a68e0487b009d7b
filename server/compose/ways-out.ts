import { type AllowedAddresses, createAllowedAddresses } from '../allowed-addresses/allowed-addresses.ts'
import { createStoredAddresses } from '../allowed-addresses/stored-addresses.ts'
import type { Audit } from '../audit/audit.ts'
import type { Config } from '../config/config.ts'
import type { KeyReplicas } from '../keys/key-replicas.ts'
import type { Cleanups } from '../platform/cleanups.ts'
import { systemClock } from '../platform/clock.ts'
import { type EgressOptions, type StreamingEgress, createEgress } from '../platform/egress.ts'
import { systemResolve } from '../platform/egress/checked-addresses.ts'
import type { CoreServices } from './core-services.ts'

/** Which private addresses may be reached: those of the environment, and those that operators allow meanwhile. */
export type Reach = Pick<EgressOptions, 'allowPrivate' | 'alsoAllowed'>

interface WaysOut {
  /** For addresses that operators chose. */
  readonly egress: StreamingEgress
  /** For public addresses that strangers chose. */
  readonly strangers: StreamingEgress
  /** For other ways to what operators chose. */
  readonly reach: Reach
  readonly allowedAddresses: AllowedAddresses
}

/** Opens the ways out. What operators allowed is known afterwards, so that the file may name services there. */
export async function openWays(
  { allowPrivate }: Pick<Config, 'allowPrivate'>,
  { database, clock }: Pick<CoreServices, 'database' | 'clock'>,
  replicas: KeyReplicas,
  record: Audit['record'],
  cleanups: Cleanups,
): Promise<WaysOut> {
  const reach: Reach = { allowPrivate, alsoAllowed: createStoredAddresses({ database, replicas }) }
  await replicas.keySync.sync()
  const egress = createEgress({ clock: systemClock, ...reach, schemes: ['http', 'https'] })
  const strangers = createEgress({ clock: systemClock, allowPrivate: [] })
  cleanups.add(() => egress.close())
  cleanups.add(() => strangers.close())
  const allowedAddresses = createAllowedAddresses({
    database,
    replicas,
    record,
    environment: allowPrivate,
    resolve: systemResolve,
    now: clock.now,
  })
  return { egress, strangers, reach, allowedAddresses }
}
