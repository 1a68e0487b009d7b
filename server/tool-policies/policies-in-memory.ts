import type { ToolPolicy, ToolPolicyView } from '../../shared/tool-policies.ts'
import type { SyncedKeys } from '../keys/replicas/key-sync.ts'
import { type CheckArguments, compileArgumentSchema } from './argument-schema.ts'
import { type PolicyLevel, type RulesOfTool, rulesOf } from './decide.ts'
import type { NamedTool } from './pattern.ts'
import { type ToolPolicyStore, policyIdOf } from './store.ts'

/** An active policy, as calls ask it. */
export interface ActivePolicy {
  readonly level: PolicyLevel
  rulesFor(tool: NamedTool): RulesOfTool
}

/** Names of tools come from callers, so not each of them is kept. */
const maxTools = 500

/** Prepares a policy. Its schemas are compiled on the first call, and what it says of a tool is kept. */
export function activePolicy(level: PolicyLevel, window: string, policy: ToolPolicy): ActivePolicy {
  const known = new Map<string, RulesOfTool>()
  let checks: readonly CheckArguments[] | null = null

  return {
    level,
    rulesFor(tool) {
      const key = `${tool.serviceId} ${tool.tool}`
      const found = known.get(key)
      if (found !== undefined) return found
      checks ??= policy.arguments.map(({ schema }) => compileArgumentSchema(schema))
      const rules = rulesOf({ level, counted: window, policy, checks }, tool)
      if (known.size >= maxTools) known.clear()
      known.set(key, rules)
      return rules
    },
  }
}

interface Remembered {
  readonly view: ToolPolicyView
  readonly active: ActivePolicy
}

const remembered = (view: ToolPolicyView): [string, Remembered] => {
  const id = policyIdOf(view.subject, view.accountId)
  return [id, { view, active: activePolicy(view.subject.level, id, view.policy) }]
}

/** The policies of all accounts in this process. The change log of the keys tells of changes by other processes. */
export function createPoliciesInMemory(store: ToolPolicyStore) {
  const byId = new Map<string, Remembered>()

  const synced: SyncedKeys = {
    kind: 'tool_policy',
    async reload() {
      const all = await store.all()
      byId.clear()
      for (const view of all) byId.set(...remembered(view))
    },
    async refresh(ids) {
      const found = new Map((await store.some(ids)).map(remembered))
      for (const id of ids) {
        const one = found.get(id)
        if (one === undefined) byId.delete(id)
        else byId.set(id, one)
      }
    },
  }

  return {
    synced,
    /** By the id of the policy. */
    byId: byId as ReadonlyMap<string, unknown>,
    /** Null where there is none, or it belongs to another account. */
    find(id: string, accountId: string): ActivePolicy | null {
      const one = byId.get(id)
      return one === undefined || one.view.accountId !== accountId ? null : one.active
    },
    /** Null: of every account. */
    list: (accountId: string | null): ToolPolicyView[] =>
      [...byId.values()].flatMap(({ view }) =>
        accountId === null || view.accountId === accountId ? [view] : [],
      ),
  }
}
