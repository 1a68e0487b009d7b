import { sourceOf } from '../../platform/http/address-limit.ts'
import type { GatewayCaller } from '../authentication.ts'

/** What all sessions of callers without an API key are counted under, besides their owners. */
export const withoutAccount = 'without account'

/** Whose sessions are counted together. */
export interface SessionOwner {
  readonly owner: string
  readonly isAnonymous: boolean
  /** Several callers that cannot be told apart. */
  readonly isShared: boolean
}

/**
 * An account, whichever of its API keys is used: otherwise one account with many keys would take the places of all. Without
 * a key the address stands for the caller, behind a trusted proxy the one that the proxy tells. A loopback address is that
 * of every program of this machine, and of every visitor when a proxy beside us is not trusted.
 */
export function sessionOwnerOf(caller: GatewayCaller): SessionOwner {
  if (caller.kind === 'account')
    return { owner: `account ${caller.accountId}`, isAnonymous: false, isShared: false }
  const { address } = caller.from.caller()
  const isShared = address === null || isLoopback(address)
  return { owner: `address ${sourceOf(address)}`, isAnonymous: true, isShared }
}

export const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.')
