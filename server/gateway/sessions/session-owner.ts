import type { Principal } from '../principal.ts'

/** Whose sessions are counted together. */
export interface SessionOwner {
  readonly owner: string
  readonly isBounded: boolean
}

/** Without a key the address stands for the caller. On this very machine all callers have one: it tells nothing. */
export function ownerOf(principal: Principal): SessionOwner {
  if (principal.kind === 'account') return { owner: principal.name, isBounded: true }
  const address = principal.from.caller().address ?? 'unknown'
  return { owner: `address ${address}`, isBounded: !isLoopback(address) }
}

export const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.')
