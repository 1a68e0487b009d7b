import { idText } from '../../shared/text.ts'
import { fault } from '../platform/fault.ts'
import type { CallContext } from './init.ts'

/** The id of an account that is named by its id or by a wallet's address. Fault: `not_found`. */
export type AccountIdOf = (idOrAddress: string) => Promise<string>

/** The fields of what an operator does for any account. */
export const ofAnyAccount = { account: idText(200) } as const

export interface AskedScope {
  readonly account?: string | undefined
  readonly all?: boolean | undefined
}

/**
 * Returns the account whose `what` are shown; null: all. Without a scope it is one's own account. Fault: `forbidden`.
 */
export async function askedAccount(
  { account, isOperator }: CallContext,
  asked: AskedScope,
  what: 'calls' | 'requests',
  accountIdOf: AccountIdOf,
): Promise<string | null> {
  const own = account?.id ?? null
  const isOwn = asked.account === undefined ? asked.all !== true : asked.account === own
  if (isOwn && own !== null) return own
  if (!isOperator) throw fault('forbidden', `Only operators see the ${what} of other accounts`)
  return asked.account === undefined ? null : accountIdOf(asked.account)
}
