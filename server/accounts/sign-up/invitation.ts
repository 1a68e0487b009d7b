import type { InvitationRefusal, InvitationView } from '../../../shared/invitations.ts'

/** An invitation as it is stored. Instants are epoch ms. */
export interface StoredInvitation extends Omit<InvitationView, 'state'> {}

/** What an operator sees of an invitation at an instant (epoch ms). */
export const invitationView = (invitation: StoredInvitation, now: number): InvitationView => ({
  ...invitation,
  state: invitation.usedAt !== null ? 'used' : now < invitation.expiresAt ? 'open' : 'over',
})

/**
 * Why somebody cannot use an invitation; null when they can. `identities` are keys such as `github:583231`; null while it
 * is not known who the bearer is.
 */
export function invitationRefusal(
  invitation: StoredInvitation | null,
  identities: readonly string[] | null,
  now: number,
): InvitationRefusal | null {
  if (invitation === null) return 'invitation_unknown'
  if (invitation.usedAt !== null) return 'invitation_used'
  if (now >= invitation.expiresAt) return 'invitation_over'
  const { for: only } = invitation
  return only === null || identities === null || identities.includes(only) ? null : 'invitation_of_another'
}
