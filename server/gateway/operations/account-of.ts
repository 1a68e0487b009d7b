import type { Author } from '../../platform/keys/changes.ts'
import type { ClientCall } from '../client-call.ts'
import { type Refused, refuse } from '../outcome.ts'

/** Who changes something that an account owns. Anonymous callers own nothing. */
export function authorOf({ principal, requestId }: ClientCall): Author | Refused {
  if (principal.kind === 'anonymous') return apiKeyNeeded
  const { name, keyName, accountId, from } = principal
  const actor = { id: name, label: `API key ${keyName}` }
  return { accountId, actor, ip: from.caller().address, requestId }
}

const apiKeyNeeded = refuse(
  'api_key_needed',
  'Saved connections belong to an account: send an API key with the permission Gateway Use as Authorization: Bearer <API key>. Without one, bind credentials to this session instead.',
  [{ tool: 'bind_credentials_bag', reason: 'binds credentials to this session only' }],
)
