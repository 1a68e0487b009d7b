import { isLoopback } from '../sessions/session-owner.ts'
import { type Refused, refuse } from '../outcome.ts'
import type { Parties } from '../parties.ts'
import type { OperationCall } from './operation.ts'

/** Before a call that makes this server ask another one: callers without a key have so many, by their address. */
export function refusedReach({ client }: OperationCall, { countReach }: Parties): Refused | null {
  const { principal } = client
  if (principal.kind === 'account') return null
  const { address } = principal.from.caller()
  if (address !== null && isLoopback(address)) return null
  const waitSec = countReach(address)
  if (waitSec === 0) return null
  return refuse(
    'rate_limited',
    `Too many calls to tool servers from this address: try again in ${waitSec} seconds, or send an API key with the permission Gateway Use`,
    [],
    { retry_after_seconds: waitSec },
  )
}
