import type { AccountState } from '../../../shared/accounts.ts'
import type { InvitationRefusal } from '../../../shared/invitations.ts'

/** What becomes of somebody new without an invitation: an account, or none. */
export type Entry =
  | { readonly kind: 'account'; readonly state: AccountState }
  | { readonly kind: 'sign_up_closed' | 'invitation_needed' }

/** They have no account here and get none, or have one that is disabled. */
export interface NoEntry {
  readonly kind: 'account_disabled' | 'sign_up_closed' | 'invitation_needed' | InvitationRefusal
}
