import { countedAddress } from '../counted-address.ts'
import { type Refused, refuse } from '../outcome.ts'
import type { Parties } from '../parties.ts'
import type { Principal } from '../principal.ts'
import type { OperationCall } from './operation.ts'

/** Seconds to wait before a call that makes this server ask another one: callers without a key have so many. */
export function reachWaitSec(principal: Principal, countReach: Parties['countReach']): number {
  if (principal.kind === 'account') return 0
  const address = countedAddress(principal)
  return address === null ? 0 : countReach(address)
}

export const tooManyReaches = (waitSec: number): string =>
  `Too many calls to tool servers from this address: try again in ${waitSec} seconds, or send an API key with the permission Gateway Use`

export function refusedReach({ client }: OperationCall, { countReach }: Parties): Refused | null {
  const waitSec = reachWaitSec(client.principal, countReach)
  if (waitSec === 0) return null
  return refuse('rate_limited', tooManyReaches(waitSec), [], { retry_after_seconds: waitSec })
}
