import type { AccountChange, AccountState, Role } from '../../shared/accounts.ts'
import type { AuditAction, AuditActor } from '../../shared/audit.ts'
import type { Audit } from '../audit/audit.ts'
import type { KeyReplicas } from '../keys/key-replicas.ts'
import type { ChangedThings } from '../keys/replicas/replicated-change.ts'
import type { Sql, TransactionSql } from '../platform/database.ts'
import { type Fault, fault } from '../platform/fault.ts'
import type { Plans } from '../plans/plans.ts'
import type { RequestTrace } from './audit-entries.ts'
import { type ConfiguredOperators, effectiveStanding } from './operators.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { AccountStore } from './store.ts'

interface SuspensionParts {
  readonly store: AccountStore
  readonly sessions: Sessions
  readonly operators: ConfiguredOperators
  readonly replicas: Pick<KeyReplicas, 'change'>
  /** What an account has that processes remember: its keys of both kinds, and the grants of its agents. */
  readonly heldBy: HeldBy
  readonly plans: Pick<Plans, 'all' | 'existsIn'>
  readonly record: Audit['record']
}

export type HeldBy = (sql: Sql, accountId: string) => Promise<ChangedThings[]>

/** Who does it: an operator, or the command line. */
interface Doer extends RequestTrace {
  readonly actor: AuditActor
}

/** Processes without the database go on with what they know for five minutes, and are waited for so long; see `keys/`. */
const livingSec = 310

/**
 * Switches accounts off and on, and changes who is an operator. What is refused then, keys of both kinds, tokens of agents
 * and web sessions, is refused by every living process before the call returns, or the answer says that it is not yet.
 */
export function createSuspension(parts: SuspensionParts) {
  const { store, sessions, operators, replicas, heldBy, plans, record } = parts

  async function change(
    { actor, ip, requestId }: Doer,
    id: string,
    action: AuditAction,
    work: (sql: TransactionSql, before: AccountState) => Promise<{ before: object; after: object }>,
  ): Promise<AccountChange> {
    const { result: keys, propagated } = await replicas.change(
      'account',
      async (sql) => {
        const state = await store.lockState(sql, id)
        if (state === null) throw fault('not_found', 'There is no account of this id')
        const { before, after } = await work(sql, state)
        const further = await heldBy(sql, id)
        await sessions.announce(sql, id)
        const facts = { before: { ...before }, after: { ...after } }
        await record(sql, { actor, action, subject: { kind: 'account', id }, ...facts, ip, requestId })
        return { ids: [id], further, result: further.reduce((count, { ids }) => count + ids.length, 0) }
      },
      livingSec,
    )
    sessions.forget(id)
    return { id, keys, propagated }
  }

  async function refuseForConfigured(sql: TransactionSql, id: string): Promise<void> {
    const account = await store.findIn(sql, id)
    if (account === null || !account.identities.some(operators.includes)) return
    throw fault(
      'conflict',
      'GATEHOUSE_OPERATORS makes this account an operator: take it off that setting first',
    )
  }

  return {
    /** Ends its sessions; its keys and agents stay, and are refused. Faults: `not_found`, `conflict`. */
    disable(by: Doer, id: string): Promise<AccountChange> {
      refuseForOneself(by, id, 'disable')
      return change(by, id, 'account.disable', async (sql, state) => {
        if (state === 'disabled') throw fault('conflict', 'This account is disabled already')
        await refuseForConfigured(sql, id)
        await store.setState(sql, id, 'disabled')
        await sessions.endAll(sql, id)
        return { before: { state }, after: { state: 'disabled' } }
      })
    },

    /** Its keys and agents work again. Faults: `not_found`, `conflict`. */
    enable: (by: Doer, id: string): Promise<AccountChange> =>
      change(by, id, 'account.enable', async (sql, state) => {
        if (state !== 'disabled') throw fault('conflict', 'This account is not disabled')
        await store.setState(sql, id, 'active')
        return { before: { state }, after: { state: 'active' } }
      }),

    /**
     * Gives an account another plan; null: none. Its keys are held to it from then on, and nothing is deleted. Faults:
     * `not_found`, `invalid_request`.
     */
    async setPlan(by: Doer, id: string, plan: string | null): Promise<AccountChange> {
      return change(by, id, 'account.plan', async (sql) => {
        // Plans are deleted one after the other with this: none that is gone is given to an account.
        if (plan !== null && !(await plans.existsIn(sql, plan)))
          throw unknownPlan(plans.all().map(({ name }) => name))
        const before = await store.planOf(sql, id)
        await store.setPlan(sql, id, plan)
        return { before: { plan: before }, after: { plan } }
      })
    },

    /** Makes an operator of an account, or an ordinary account of an operator. Faults: `not_found`, `conflict`. */
    setRole(by: Doer, id: string, role: Role): Promise<AccountChange> {
      if (role === 'account') refuseForOneself(by, id, 'take the rights of an operator from')
      return change(by, id, 'account.role', async (sql, state) => {
        if (state !== 'active') throw fault('conflict', 'Only an account that is in use can be an operator')
        if (role === 'account') await refuseForConfigured(sql, id)
        const account = await store.findIn(sql, id)
        if (account?.kind === 'team') throw fault('conflict', 'A team is no operator: only people are')
        const before = account === null ? 'account' : effectiveStanding(account, operators).role
        await store.setRole(sql, id, role)
        return { before: { role: before }, after: { role } }
      })
    },
  }
}

function unknownPlan(known: readonly string[]): Fault {
  const message =
    known.length === 0
      ? 'there are no plans'
      : `expected one of ${known.map((name) => JSON.stringify(name)).join(', ')}`
  return fault('invalid_request', `plan: ${message}`, { fields: [{ path: ['plan'], message }] })
}

const refuseForOneself = ({ actor }: Doer, id: string, what: string): void => {
  if (actor.id === id) throw fault('conflict', `You cannot ${what} the account that you are signed in with`)
}
