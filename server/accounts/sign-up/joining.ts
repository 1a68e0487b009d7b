import {
  type InvitationAnswer,
  type InvitationRefusal,
  invitationRefusals,
} from '../../../shared/invitations.ts'
import type { Audit } from '../../audit/audit.ts'
import type { Database } from '../../platform/database.ts'
import { type Fault, fault } from '../../platform/fault.ts'
import { ownAccountEntry } from '../audit-entries.ts'
import { identityKey } from '../identity.ts'
import type { CurrentSession } from '../sessions/session.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { SignInRequest } from '../sign-in-request.ts'
import type { AccountStore } from '../store.ts'
import type { Invitations } from './invitations.ts'

interface JoiningParts {
  readonly database: Database
  readonly store: AccountStore
  readonly sessions: Sessions
  readonly record: Audit['record']
  readonly invitations: Pick<Invitations, 'refusal' | 'take'>
}

const refused = (why: InvitationRefusal): Fault => fault('gone', invitationRefusals[why])

/** What somebody gets who opens the link of an invitation. */
export function createJoining({ database, store, sessions, record, invitations }: JoiningParts) {
  async function letIn(token: string, session: CurrentSession, context: SignInRequest): Promise<void> {
    const { accountId } = session
    await database.transaction(async (sql) => {
      const account = await store.findIn(sql, accountId)
      const taken = await invitations.take(
        sql,
        token,
        accountId,
        (account?.identities ?? []).map(identityKey),
      )
      if (typeof taken === 'string') throw refused(taken)
      await store.approve(sql, accountId)
      await sessions.announce(sql, accountId)
      await record(
        sql,
        ownAccountEntry(session, 'account.join', context, { after: { state: 'active', by: taken.id } }),
      )
    })
    sessions.forget(accountId)
  }

  return {
    /** Lets in who is signed in and waits; tells whoever is not signed in whether the invitation is good. */
    async show(token: string, context: SignInRequest): Promise<InvitationAnswer> {
      const { session } = context
      if (session?.state === 'active') {
        throw fault(
          'conflict',
          'You have an account here already. The invitation is still good for somebody else.',
        )
      }
      if (session !== null) {
        await letIn(token, session, context)
        return { kind: 'joined' }
      }
      const why = await invitations.refusal(token)
      if (why !== null) throw refused(why)
      return { kind: 'good' }
    },
  }
}
