import { sourceOf } from '../http/address-limit.ts'
import type { Principal } from './principal.ts'
import { isLoopback } from './sessions/session-owner.ts'

/**
 * By what callers without a key are told apart where something is counted. Null: they are not, on this very machine,
 * where all of them have one address.
 */
export function countedAddress({ from }: Principal): string | null {
  const { address } = from.caller()
  return address !== null && isLoopback(address) ? null : sourceOf(address)
}
