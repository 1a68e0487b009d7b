import type { GatewayCaller } from '../authentication.ts'

/** Whose sessions are counted together. */
export interface SessionOwner {
  readonly owner: string
  readonly isBounded: boolean
}

/** Without a key the address stands for the caller. On this very machine all callers have one: it tells nothing. */
export function ownerOf(caller: GatewayCaller): SessionOwner {
  if (caller.kind === 'account') return { owner: caller.name, isBounded: true }
  const address = caller.from.caller().address ?? 'unknown'
  return { owner: `address ${address}`, isBounded: !isLoopback(address) }
}

export const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.')
