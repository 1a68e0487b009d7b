import type { AccountState, SignUpPolicy } from '../../shared/accounts.ts'

interface NewAccount {
  /** Whether the setting GATEHOUSE_OPERATORS names its identity. */
  readonly isConfiguredOperator: boolean
  /** Whether the installation has an operator already. */
  readonly hasOperator: boolean
}

/**
 * The state in which an account begins, by the policy of the installation; null when there is to be none. Until there
 * is an operator nobody is turned away, because the owner of the setup link has to sign in to use it; they wait.
 */
export function stateOfNewAccount(
  policy: SignUpPolicy,
  { isConfiguredOperator, hasOperator }: NewAccount,
): AccountState | null {
  if (policy === 'open' || isConfiguredOperator) return 'active'
  return policy === 'closed' && hasOperator ? null : 'pending'
}
