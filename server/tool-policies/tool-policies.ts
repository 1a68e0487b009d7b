/**
 * Policies of tool calls: which tools of tool servers may be called, with which arguments, how often, and what a call costs.
 * There is at most one policy for the installation (in its file), for an account, for an API key or agent of it, and for
 * a saved connection. All levels apply together, and what one of them refuses is refused: denying wins over allowing.
 *
 * A call is decided in these steps, before anything is sent:
 * 1. `connections/tool-call.ts` asks `admit`, whichever door the call came through.
 * 2. `policies-in-memory.ts` has the policies of all accounts, so that no call waits for the database. The change log of
 *    the keys tells of changes by other processes.
 * 3. `decide.ts` (pure) says which rule refuses the tool: `pattern.ts` compares names; a tool counts as one that only
 *    reads where its definition says readOnlyHint, which is what its server claims, and is unchanged since it was accepted.
 * 4. `argument-schema.ts` checks the arguments against JSON Schemas, with expressions that cannot backtrack;
 *    `name-variants.ts` refuses a name that a schema mentions for that place in another case.
 * 5. `counting.ts` takes the call and its credits of all limits or of none, by the exact limiter of the relay.
 * `changes.ts` saves policies, with an audit entry, and returns once all processes have applied them.
 *
 * Decisions: a denied tool stays in the answer of `list_mcp_tools`, marked with the refusal, because a model that misses a
 * tool looks for a way around; lists over `/mcp/c/…` pass unchanged. The installation's limits are counted for each
 * account, and for all callers without one together, so that nobody uses up the calls of others. Patterns that deny or
 * limit ignore case, patterns that allow do not.
 *
 * Failure: where calls cannot be counted, because the shared store is away, they are refused. A refused call costs
 * nothing; one that was admitted counts, even if its tool server did not answer.
 *
 * Known limitations: a tool server can claim readOnlyHint for a tool that writes. Policies of deleted keys and connections
 * stay until they are removed. Each answer to a question of a tool is counted and priced as a call: the state of a question
 * can be sent any number of times, and would be a way around the limit. Bounds of a schema without `type` let values of
 * other types through, as JSON Schema has it; a `pattern` of `propertyNames` is compared with names as they are written. Of
 * two who edit one policy at the same time, the one who saves last wins; the audit log has both.
 */
import type {
  ToolPoliciesSection,
  ToolPolicy,
  ToolPolicyTest,
  ToolPolicyTestResult,
} from '../../shared/tool-policies.ts'
import type { ToolCall, ToolCallDecision, ToolCallHooks } from '../connections/connections.ts'
import type { Limits } from '../limits/limits.ts'
import { type PolicyChangesOptions, createPolicyChanges, schemaProblems } from './changes.ts'
import { createCountCall } from './counting.ts'
import {
  type PolicyRefusal,
  type RulesOfTool,
  creditsOf,
  refusalOfArguments,
  refusalOfLimit,
  refusalOfTool,
} from './decide.ts'
import type { NamedTool } from './pattern.ts'
import { type ActivePolicy, createPoliciesInMemory, activePolicy } from './policies-in-memory.ts'
import { createToolPolicyStore } from './store.ts'

export interface ToolPoliciesOptions extends Omit<PolicyChangesOptions, 'store'> {
  /** What the installation's file says now; its policy may be another one at the next look. */
  readonly declared: { readonly file: { readonly toolPolicies: ToolPoliciesSection } }
}

export type ToolPolicies = ReturnType<typeof createToolPolicies>

/** Whose call it is, and over which connection. */
interface Asked {
  readonly accountId: string | null
  readonly keyId: string | null
  readonly connectionId: string | null
}

export function createToolPolicies({ declared, ...options }: ToolPoliciesOptions) {
  const store = createToolPolicyStore(options.database)
  const memory = createPoliciesInMemory(store)
  options.replicas.keySync.follow(memory.synced)
  const changes = createPolicyChanges({ ...options, store })
  let ofFile: { readonly policy: ToolPolicy; readonly active: ActivePolicy } | null = null

  function fromFile(): ActivePolicy | null {
    const policy = declared.file.toolPolicies.installation
    if (policy === undefined) return null
    if (ofFile?.policy !== policy)
      ofFile = { policy, active: activePolicy('installation', 'installation', policy) }
    return ofFile.active
  }

  function rulesOf({ accountId, keyId, connectionId }: Asked, tool: NamedTool): RulesOfTool[] {
    const own =
      accountId === null || memory.byId.size === 0
        ? []
        : [
            memory.find(`account:${accountId}`, accountId),
            keyId === null ? null : memory.find(`key:${keyId}`, accountId),
            connectionId === null ? null : memory.find(`connection:${connectionId}`, accountId),
          ]
    return [fromFile(), ...own].flatMap((one) => (one === null ? [] : [one.rulesFor(tool)]))
  }

  return {
    ...changes,
    /** Null: of every account. */
    list: memory.list,
    ofInstallation: (): ToolPolicy | null => declared.file.toolPolicies.installation ?? null,

    /** The hooks of tool calls, which count by these limits. */
    hooks(limits: Pick<Limits, 'admit'>): Required<Pick<ToolCallHooks, 'admit' | 'refusalOf'>> {
      const count = createCountCall(limits)
      return {
        admit(call) {
          if (memory.byId.size === 0 && declared.file.toolPolicies.installation === undefined) return free
          const rules = rulesOf(askedBy(call), { serviceId: call.service.serviceId, tool: call.tool })
          return rules.length === 0 ? free : decided(rules, call, count)
        },
        refusalOf: (call, isReadOnly) =>
          refusalOfTool(
            rulesOf(askedBy(call), { serviceId: call.service.serviceId, tool: call.tool }),
            isReadOnly,
          )?.message ?? null,
      }
    },

    /** Says what would become of a call. Nothing is sent, and nothing is counted. */
    test(accountId: string | null, asked: ToolPolicyTest): ToolPolicyTestResult {
      const { serviceId, tool, keyId = null, connectionId = null, isReadOnly } = asked
      const rules = rulesOf({ accountId, keyId, connectionId }, { serviceId, tool })
      const refusal = refusalOfTool(rules, isReadOnly) ?? refusalOfArguments(rules, asked.arguments)
      if (refusal !== null) return { allowed: false, ...refusal, counted: [] }
      const counted = rules.flatMap(({ limits }) =>
        limits.map(({ rule, limit, units }) => ({ rule, limit, units })),
      )
      return { allowed: true, rule: null, message: null, counted }
    },
  }
}

/** What the call may do, decided and counted. */
async function decided(
  rules: readonly RulesOfTool[],
  call: ToolCall,
  count: ReturnType<typeof createCountCall>,
): Promise<ToolCallDecision> {
  const isReadOnly = rules.some(({ readOnly }) => readOnly !== null) ? await call.isReadOnly() : true
  const refusal = refusalOfTool(rules, isReadOnly) ?? refusalOfArguments(rules, call.arguments)
  if (refusal !== null) return denied(refusal, null)
  const counted = await count(
    rules.flatMap(({ limits }) => limits),
    call.accountId ?? 'anonymous',
  )
  if (counted.admitted) return { admitted: true, credits: creditsOf(rules) }
  return denied(refusalOfLimit(counted.refusing, counted.waitSec), counted.waitSec)
}

/** Returns which schemas of the file's policy are not taken, and why. */
export const argumentSchemaProblems = (policy: ToolPolicy | undefined) =>
  policy === undefined ? [] : schemaProblems(policy)

const free = { admitted: true, credits: 0 } as const

const askedBy = ({
  accountId,
  keyId,
  connection,
}: Pick<ToolCall, 'accountId' | 'keyId' | 'connection'>): Asked => ({
  accountId,
  keyId,
  connectionId: connection.kind === 'saved' ? connection.id : null,
})

const denied = ({ rule, message }: PolicyRefusal, retryAfterSec: number | null): ToolCallDecision => ({
  admitted: false,
  rule,
  message,
  retryAfterSec,
})
