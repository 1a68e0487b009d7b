import type { SignUpPolicy } from '../../../shared/accounts.ts'
import type { Entry } from './entry.ts'

interface NewAccount {
  /** Whether the setting GATEHOUSE_OPERATORS names its identity. */
  readonly isConfiguredOperator: boolean
  /** Whether the setting GATEHOUSE_SIGN_UP_ALLOW names its identity, or a group that it belongs to. */
  readonly isAllowed: boolean
  /** Whether the installation has an operator already. */
  readonly hasOperator: boolean
}

/**
 * What becomes of somebody new without an invitation, by the policy of the installation. Until there is an operator nobody
 * is turned away, because the owner of the setup link has to sign in to use it; they wait.
 */
export function entryBy(
  policy: SignUpPolicy,
  { isConfiguredOperator, isAllowed, hasOperator }: NewAccount,
): Entry {
  const isIn = policy === 'open' || isConfiguredOperator || (isAllowed && policy !== 'closed')
  if (isIn) return { kind: 'account', state: 'active' }
  if (policy === 'approval' || !hasOperator) return { kind: 'account', state: 'pending' }
  return { kind: policy === 'invitation' ? 'invitation_needed' : 'sign_up_closed' }
}
