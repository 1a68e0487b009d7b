import type { AuditAction } from '../../shared/audit.ts'
import { type ChainsSection, type CustomChain, mostCustomChains } from '../../shared/chains.ts'
import type { Audit, ChangedBy } from '../audit/audit.ts'
import type { KeyReplicas } from '../keys/key-replicas.ts'
import type { TransactionSql } from '../platform/database.ts'
import { type Fault, fault } from '../platform/fault.ts'
import { isBuiltIn, problemsOfCustom } from './chains.ts'

/** How much there is of a chain. */
export interface ChainUse {
  readonly services: number
  readonly endpoints: number
}

interface ChainChangesOptions {
  readonly replicas: Pick<KeyReplicas, 'change'>
  /** The section of the file that is active. */
  readonly declared: () => ChainsSection
  readonly useOf: (key: string) => ChainUse
  /** Makes what is stored active at this process; false: the file has mistakes, and everything stays as it was. */
  readonly activate: () => Promise<boolean>
  readonly record: Audit['record']
  /** Epoch ms. */
  readonly now: () => number
}

/** `isActive`: false while mistakes in the installation's file keep every change from becoming active. */
interface ChangedChain {
  readonly key: string
  readonly propagated: boolean
  readonly isActive: boolean
}

export type ChainChanges = ReturnType<typeof createChainChanges>

/**
 * What operators do with chains of their own. This process goes by a changed chain when the call returns; the others know
 * it then, or `propagated` is false, and go by it as soon as they have applied their file again.
 */
export function createChainChanges(options: ChainChangesOptions) {
  const { replicas, declared, useOf, activate, record, now } = options

  const put = (sql: TransactionSql, chain: CustomChain) => sql`
    INSERT INTO custom_chains (key, chain, updated_at)
    VALUES (${chain.key}, ${JSON.stringify(chain)}::text::jsonb, ${new Date(now())})
    ON CONFLICT (key) DO UPDATE SET chain = excluded.chain, updated_at = excluded.updated_at`

  /** `work` gets the chain as it is stored, null for none, and returns it as it is to be. */
  async function change(
    by: ChangedBy,
    action: AuditAction & `chain.${string}`,
    key: string,
    work: (sql: TransactionSql, before: CustomChain | null) => Promise<CustomChain | null>,
  ): Promise<ChangedChain> {
    const { propagated } = await replicas.change('chain', async (sql) => {
      const [row] = await sql<{ chain: CustomChain }[]>`
        SELECT chain FROM custom_chains WHERE key = ${key} FOR UPDATE`
      const before = row?.chain ?? null
      const after = await work(sql, before)
      const facts = { ...(before && { before: { ...before } }), ...(after && { after: { ...after } }) }
      await record(sql, { ...by, action, subject: { kind: 'chain', id: key }, ...facts })
      return { ids: [key], result: null }
    })
    return { key, propagated, isActive: await activate() }
  }

  return {
    /** Faults: `conflict` where the key is taken, or there are too many; `invalid_request`. */
    create(by: ChangedBy, chain: CustomChain): Promise<ChangedChain> {
      refuseWrong(chain)
      return change(by, 'chain.create', chain.key, async (sql, before) => {
        if (isBuiltIn(chain.key))
          throw fault(
            'conflict',
            "key: this chain is built in; the installation's file can change it (chains)",
          )
        if (before !== null || Object.hasOwn(declared(), chain.key))
          throw fault('conflict', 'key: there is a chain of this key already')
        const [row] = await sql<{ count: number }[]>`SELECT count(*)::int AS count FROM custom_chains`
        if ((row?.count ?? 0) >= mostCustomChains)
          throw fault(
            'conflict',
            `There are ${mostCustomChains} chains of operators, the most there may be: delete one first`,
          )
        await put(sql, chain)
        return chain
      })
    },

    /** Puts a chain in the place of the one of its key. Faults: `not_found`, `conflict`, `invalid_request`. */
    update(by: ChangedBy, chain: CustomChain): Promise<ChangedChain> {
      refuseWrong(chain)
      return change(by, 'chain.update', chain.key, async (sql, before) => {
        if (before === null) throw unknownChain(chain.key)
        if (before.family !== chain.family) refuseUsed(chain.key, 'keeps its family')
        await put(sql, chain)
        return chain
      })
    },

    /** Faults: `not_found`; `conflict` for a chain that something is of, or that the file changes. */
    remove: (by: ChangedBy, key: string): Promise<ChangedChain> =>
      change(by, 'chain.delete', key, async (sql, before) => {
        if (before === null) throw unknownChain(key)
        refuseUsed(key, 'cannot be deleted')
        if (Object.hasOwn(declared(), key))
          throw fault(
            'conflict',
            "The installation's file changes this chain: take it out of the section chains first",
          )
        await sql`DELETE FROM custom_chains WHERE key = ${key}`
        return null
      }),
  }

  function refuseUsed(key: string, consequence: string): void {
    const { services, endpoints } = useOf(key)
    if (services + endpoints > 0)
      throw fault(
        'conflict',
        `A chain that is used ${consequence}: it has ${services} services and ${endpoints} endpoints`,
      )
  }
}

function refuseWrong(chain: CustomChain): void {
  const problems = problemsOfCustom(chain)
  const [first] = problems
  if (first === undefined) return
  throw fault('invalid_request', `${first.path}: ${first.message}`, {
    fields: problems.map(({ path, message }) => ({ path: [path], message })),
  })
}

const unknownChain = (key: string): Fault =>
  isBuiltIn(key)
    ? fault('conflict', "This chain is built in; the installation's file can change it (chains)")
    : fault('not_found', 'No operator has added a chain of this key')
