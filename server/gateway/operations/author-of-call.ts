import type { Author } from '../../keys/changes.ts'
import type { ClientCall } from '../tools/tool.ts'
import { type ToolRefusal, toolRefusal } from '../tool-result.ts'

/**
 * Returns the author for a change to an account's data, or a refusal for anonymous callers, who own nothing.
 */
export function authorOfCall({ caller, requestId }: ClientCall): Author | ToolRefusal {
  if (caller.kind === 'anonymous') return apiKeyNeeded
  const { name, keyName, accountId, from } = caller
  const actor = { id: name, label: `API key ${keyName}` }
  return { accountId, actor, ip: from.caller().address, requestId }
}

const apiKeyNeeded = toolRefusal(
  'api_key_needed',
  'Saved connections belong to an account: send an API key with the permission Gateway Use as Authorization: Bearer <API key>. Without one, bind credentials to this session instead.',
  [{ tool: 'bind_credentials_bag', reason: 'binds credentials to this session only' }],
)
