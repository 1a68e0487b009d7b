import { operatorPermission } from '../../shared/api-keys.ts'
import type { AgentAccess } from '../agent-access/agent-access.ts'
import type { ApiKeys } from '../api-keys/api-keys.ts'
import type { KeyAuthority } from '../api-keys/guard.ts'
import { doorOf } from '../platform/http/token-doors.ts'
import { tokenPrefixes } from '../platform/token-prefixes.ts'

type Use = Parameters<KeyAuthority['authorize']>[1]
type Verdict = Awaited<ReturnType<KeyAuthority['authorize']>>

/** What doors take for an agent's token, and everything else for an API key. */
const isToken = (value: string | null): value is string =>
  value?.startsWith(tokenPrefixes.agentAccess) === true

/** Tells API keys and tokens of agents apart, and asks the domain of each, so that no door knows more than one of them. */
export function createCallers(
  apiKeys: ApiKeys,
  agentAccess: Pick<AgentAccess, 'check' | 'isGrantAlive' | 'onChange'>,
  isOperator: (accountId: string) => Promise<boolean>,
) {
  /** Who made a key may have lost the rights of an operator since. */
  async function authorizeKey(value: string | null, use: Use): Promise<Verdict> {
    const verdict = await apiKeys.authorize(value, use)
    if (verdict.kind !== 'allowed' || use.needs !== operatorPermission) return verdict
    const { key } = verdict
    if (await isOperator(key.accountId)) return verdict
    return { kind: 'permission_missing', key, permissions: [operatorPermission] }
  }

  async function authorizeToken(value: string, use: Use): Promise<Verdict> {
    const { resource, scopes } = doorOf(use.path)
    const verdict = await agentAccess.check(value, {
      resource,
      needs: scopes ?? [],
      // Read on access: only a token that is not known here needs it.
      get address() {
        return use.address
      },
    })
    if (verdict.kind === 'invalid') return { kind: 'invalid', why: 'unknown' }
    const { grantId: id, accountId, clientName: name } = verdict.access
    const key = { id, accountId, name, allowedDomains: [] }
    if (verdict.kind === 'scope_missing' || scopes === null)
      return { kind: 'permission_missing', key, permissions: scopes ?? [] }
    return { kind: 'allowed', key }
  }

  return {
    isAnsweringFromMemory: apiKeys.isAnsweringFromMemory,
    authorize: (value: string | null, use: Use) =>
      isToken(value) ? authorizeToken(value, use) : authorizeKey(value, use),
    /** An agent goes by what was granted to it: the token that it showed is over in an hour, and it has the next one then. */
    isStillAllowed: async (id: string, value: string | null, use: Use): Promise<boolean> =>
      isToken(value) ? agentAccess.isGrantAlive(id) : (await authorizeKey(value, use)).kind === 'allowed',
    onChange(listener: (id: string | null) => void): () => void {
      const ends = [apiKeys.onChange(listener), agentAccess.onChange(listener)]
      return () => ends.forEach((end) => end())
    },
  }
}
