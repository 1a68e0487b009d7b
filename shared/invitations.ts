import * as z from 'zod/mini'

import { identityForms, identityPattern } from './identity-names.ts'
import { idText, matching, remark } from './text.ts'

/** A link is good for this long unless its maker says otherwise. */
const usualDays = 7
const mostDays = 90

/** One identity, as `GATEHOUSE_OPERATORS` and the command line name it. */
export const IdentityName = matching(identityPattern, identityForms)

/** Invites one person, whoever opens the link first, or with `for` the one who has that identity. */
export const NewInvitation = z.strictObject({
  note: z._default(remark(100), ''),
  for: z._default(z.nullable(IdentityName), null),
  days: z._default(
    z.int(`a whole number of days from 1 to ${mostDays}`).check(z.minimum(1), z.maximum(mostDays)),
    usualDays,
  ),
})
export type NewInvitation = z.output<typeof NewInvitation>

/** The secret at the end of an invitation's link. */
export const ShownInvitation = z.strictObject({ token: idText(100) })

export const invitationStates = ['open', 'used', 'over'] as const

/** An invitation as operators see it, without its secret. Instants are epoch ms. */
export interface InvitationView {
  readonly id: string
  readonly note: string
  /** The only identity that can use it, such as `wallet:0x12…` or `github:583231`; null: whoever has the link. */
  readonly for: string | null
  readonly state: (typeof invitationStates)[number]
  readonly createdAt: number
  /** What the audit log calls its maker. */
  readonly createdBy: string
  readonly expiresAt: number
  readonly usedAt: number | null
  /** The id of the account that used it. */
  readonly usedBy: string | null
}

/** The link is told once: its secret is not stored. */
export interface MadeInvitation {
  readonly id: string
  readonly link: string
  readonly expiresAt: number
}

/** What showing an invitation led to: it waits for its bearer to sign in, or it has let the waiting account in. */
export interface InvitationAnswer {
  readonly kind: 'good' | 'joined'
}

/** Why an invitation lets nobody in, in the words that its bearer reads. */
export const invitationRefusals = {
  invitation_unknown:
    'This invitation is not known here. Check that the link is whole, or ask for a new one.',
  invitation_used: 'This invitation was used already. Each is good for one person; ask for one of your own.',
  invitation_over: 'This invitation has ended. Ask for a new one.',
  invitation_of_another:
    'This invitation is for somebody else: sign in with the wallet or the account that it was made for.',
} as const
export type InvitationRefusal = keyof typeof invitationRefusals
