import type { GatewayErrorCode, NextAction } from '../../../shared/gateway.ts'
import { Fault, assertNever } from '../../platform/fault.ts'
import { type ToolRefusal, toolRefusal } from '../tool-result.ts'
import type { CallFailure } from '../../connections/connections.ts'

const later: NextAction = {
  tool: 'execute',
  operation: 'connect_mcp',
  reason: 'tries again; the tool server may be back',
}
const others: NextAction = { tool: 'execute', operation: 'list_mcps', reason: 'lists other tool servers' }

const sizes = {
  body: 'its answer is too large',
  event: 'one event of its stream is too large',
  depth: 'its answer is nested too deeply',
  values: 'its answer has too many values',
  tools: 'it has too many tools',
  pages: 'its list has no end',
  schema: 'the schema of a tool is too large',
} as const

/** Converts the failure of a downstream call to a refusal that says what to do next. */
export function callFailureRefusal(
  trouble: CallFailure,
  known: Readonly<Record<string, unknown>> = {},
): ToolRefusal {
  switch (trouble.outcome) {
    case 'unknown_connection':
      return unknownConnection
    case 'service_gone':
      return toolRefusal(
        'unknown_service',
        `The registry does not list ${trouble.serviceId} any more: delete this connection, or wait until it is back`,
        [others],
        known,
      )
    case 'origin_changed':
      return toolRefusal(
        'origin_changed',
        `The registry names another address for ${trouble.serviceId} than the one the secret was saved for, so it is not sent there. If the new address is right, delete the connection and create it anew.`,
        [
          {
            tool: 'execute',
            operation: 'get_details',
            reason: 'shows the address that the registry names now',
          },
          {
            tool: 'execute',
            operation: 'create_connection',
            reason: 'saves the credentials for the new address',
          },
        ],
        known,
      )
    case 'auth_required':
      return authRequired(trouble, known)
    case 'unreachable':
      return toolRefusal('unreachable', `${trouble.serviceId} cannot be reached`, [later, others], known)
    case 'timed_out':
      return toolRefusal('timed_out', `${trouble.serviceId} did not answer in time`, [later, others], known)
    case 'too_large':
      return toolRefusal(
        'too_large',
        `${trouble.serviceId} was cut off: ${sizes[trouble.what]}`,
        [others],
        known,
      )
    case 'protocol_error':
      return toolRefusal('protocol_error', `What ${trouble.serviceId} answers is not MCP`, [others], known)
    case 'busy':
      return toolRefusal(
        'rate_limited',
        `Too much is under way to this tool server, or it has failed too often: try again in ${trouble.retryAfterSec} seconds`,
        [others],
        { ...known, retry_after_seconds: trouble.retryAfterSec },
      )
    case 'cancelled':
      return toolRefusal('cancelled', 'The call was cancelled', [], known)
    default:
      return assertNever(trouble)
  }
}

function authRequired(
  { serviceId, credentialKey, authSource }: Extract<CallFailure, { outcome: 'auth_required' }>,
  known: Readonly<Record<string, unknown>>,
): ToolRefusal {
  const key = credentialKey ?? 'provider'
  const wrong =
    authSource === 'none'
      ? `${serviceId} wants credentials`
      : `${serviceId} did not take the credentials that it was sent (${authSource})`
  return toolRefusal(
    'auth_required',
    `${wrong}: bind them under the name ${key}, or send them in the header x-gateway-cred-${key}`,
    [
      {
        tool: 'bind_credentials_bag',
        arguments: { credentials_bag: { [key]: '<your token or key>' } },
        reason: 'binds credentials to this session; then connect_mcp again',
      },
      {
        tool: 'execute',
        operation: 'create_connection',
        arguments: {
          service_id: serviceId,
          credentials: { kind: 'static_secret', secret: '<your token or key>' },
        },
        reason: 'saves them for your account; needs an API key of this gateway',
      },
    ],
    { ...known, auth_source: authSource },
  )
}

/** The one refusal for connections that never existed and for those of another caller. */
export const unknownConnection = toolRefusal(
  'unknown_connection',
  'There is no such connection: it was deleted, its session has ended, or it was never yours',
  [
    { tool: 'execute', operation: 'list_connections', reason: 'lists the connections there are' },
    { tool: 'execute', operation: 'connect_mcp', reason: 'makes one to a service, by its service_id' },
  ],
)

const codes: Readonly<Partial<Record<Fault['code'], GatewayErrorCode>>> = {
  invalid_request: 'invalid_arguments',
  bad_request: 'invalid_arguments',
  conflict: 'conflict',
  rate_limited: 'rate_limited',
  unavailable: 'unavailable',
}

/**
 * Converts whatever a tool threw to a refusal that a model can read. Errors that are no faults are not
 * described.
 */
export function faultToolRefusal(thrown: unknown): ToolRefusal {
  if (!(thrown instanceof Fault)) return somethingWentWrong
  if (thrown.code === 'not_found') return unknownConnection
  const { retryAfterSec } = thrown
  const known = retryAfterSec === undefined ? {} : { retry_after_seconds: retryAfterSec }
  const code = codes[thrown.code]
  return code === undefined ? somethingWentWrong : toolRefusal(code, thrown.message, [], known)
}

const somethingWentWrong = toolRefusal(
  'internal',
  'Something went wrong on our side; try again, or tell the operator the time',
)
