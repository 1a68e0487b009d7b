import type { GatewayErrorCode } from '../../../shared/gateway.ts'
import { type ConnectionView, connectionBounds } from '../../../shared/connections.ts'
import { secondMs } from '../../../shared/durations.ts'
import { isUsableConnection } from './connection-entry.ts'
import { Fault, assertNever } from '../../platform/fault.ts'
import { tryAgainIn } from '../../platform/try-again-in.ts'
import {
  type NextActions,
  bindAction,
  connectAfterConsent,
  connectAgain,
  connectionsTo,
  createByOAuth,
  detailsAction,
  discoverNetworksAction,
  findServices,
  listConnectionsAction,
  listMcpsAction,
  showConnection,
} from '../next-actions.ts'
import { type ToolRefusal, toolRefusal } from '../tool-result.ts'
import type { CallFailure, NetworkFailure } from '../../connections/connections.ts'

const sizes = {
  result: 'its result is too large',
  body: 'its answer is too large',
  event: 'one event of its stream is too large',
  depth: 'its answer is nested too deeply',
  values: 'its answer has too many values',
  tools: 'it has too many tools',
  pages: 'its list of tools has more pages than the gateway reads',
  endless: 'its list of tools has no end',
} as const

/**
 * Converts the failure of a downstream call to a refusal that says what to do next. `saved` are the account's connections
 * to a tool server that wants credentials, the best one first.
 */
export function callFailureRefusal(
  trouble: CallFailure,
  known: Readonly<Record<string, unknown>> = {},
  saved: readonly ConnectionView[] = [],
): ToolRefusal {
  switch (trouble.outcome) {
    case 'unknown_connection':
      return unknownConnection
    case 'service_gone':
      return toolRefusal(
        'unknown_service',
        `The registry does not list ${trouble.serviceId} any more: delete this connection, or wait until it is back`,
        [listMcpsAction, listConnectionsAction],
        known,
      )
    case 'origin_changed':
      return toolRefusal(
        'origin_changed',
        `The registry names another address for ${trouble.serviceId} than the one the secret was saved for, so it is not sent there. If the new address is right, delete the connection and create it anew.`,
        elsewhere(trouble),
        known,
      )
    case 'auth_required':
      return authRequired(trouble, known, saved)
    case 'consent_needed':
      return consentNeeded(trouble, known)
    case 'unreachable':
    case 'protocol_error':
      return unreachable(trouble, known)
    case 'timed_out':
      return toolRefusal(
        'timed_out',
        `${trouble.serviceId} did not answer in time`,
        elsewhere(trouble),
        known,
      )
    case 'too_large':
      if (trouble.size !== undefined) return resultTooLarge(trouble.serviceId, trouble.size, known)
      return toolRefusal(
        'too_large',
        `${trouble.serviceId} was cut off: ${sizes[trouble.what]}`,
        elsewhere(trouble),
        known,
      )
    case 'busy':
      return toolRefusal(
        'rate_limited',
        `${trouble.isFailing ? 'This tool server has failed too often' : 'Too much is under way to this tool server'}: try again in ${trouble.retryAfterSec} seconds`,
        [listMcpsAction],
        { ...known, retry_after_seconds: trouble.retryAfterSec },
      )
    case 'cancelled':
      return toolRefusal('cancelled', 'The call was cancelled', [listConnectionsAction], known)
    default:
      return assertNever(trouble)
  }
}

/** The tool has run: what it did is done, and only its answer is missing. */
const resultTooLarge = (
  serviceId: string,
  { bytes, most }: { readonly bytes: number; readonly most: number },
  known: Readonly<Record<string, unknown>>,
): ToolRefusal =>
  toolRefusal(
    'too_large',
    `The tool of ${serviceId} ran, and its result of ${bytes} bytes is left out: this connection takes ${most}. Ask it for less, with a filter, a limit or a page. The owner of a saved connection can raise the limit in the console, to ${connectionBounds.mostResultBytes} at most.`,
    elsewhere({ serviceId }),
    { ...known, result_bytes: bytes, limit_bytes: most },
  )

const reasons: Readonly<Record<NetworkFailure, string>> = {
  dns: 'its name cannot be resolved',
  refused: 'nothing answers at its address, or it ended the connection',
  tls: 'its certificate or its TLS is not valid',
  timed_out: 'it did not answer in time',
  not_mcp: 'what it answers is not MCP, but a page or broken JSON',
  redirected: 'it redirects to another address, and is not followed',
  status: 'it answers with an HTTP error',
  protocol_error: 'it broke the protocol, or speaks no version of it that the gateway knows',
}

function unreachable(
  trouble: Extract<CallFailure, { outcome: 'unreachable' | 'protocol_error' }>,
  known: Readonly<Record<string, unknown>>,
): ToolRefusal {
  const { outcome, serviceId, why, httpStatus, retryAfterSec } = trouble
  const status = httpStatus === undefined ? '' : ` (${httpStatus})`
  const wait = retryAfterSec === undefined ? '' : `: ${tryAgainIn(retryAfterSec * secondMs)}`
  const text =
    why === undefined
      ? outcome === 'unreachable'
        ? `${serviceId} cannot be reached`
        : `${serviceId} refuses to begin: ${reasons.protocol_error}`
      : `${serviceId} cannot be used: ${reasons[why]}${status}${wait}`
  return toolRefusal(why ?? outcome, text, elsewhere(trouble), {
    ...known,
    ...(httpStatus !== undefined && { http_status: httpStatus }),
    ...(retryAfterSec !== undefined && { retry_after_seconds: retryAfterSec }),
  })
}

/** What is left where a tool server does not answer: what the registry says of it, and other tool servers. */
const elsewhere = ({ serviceId }: { readonly serviceId: string }): NextActions => [
  listMcpsAction,
  detailsAction({ service_id: serviceId }),
]

type AuthRequired = Extract<CallFailure, { outcome: 'auth_required' }>

/** Nobody is told to save what is saved already. */
function authRequired(
  failure: AuthRequired,
  known: Readonly<Record<string, unknown>>,
  [saved]: readonly ConnectionView[],
): ToolRefusal {
  const { serviceId, credentialKey, authSource, byOAuth } = failure
  const facts = { ...known, auth_source: authSource, credential_key: credentialKey }
  if (failure.saved !== undefined) return savedIsRefused(serviceId, failure.saved, facts)
  const wrong =
    authSource === 'none'
      ? `${serviceId} wants credentials`
      : `${serviceId} did not take the credentials that it was sent (${authSource})`
  if (saved !== undefined) {
    const isUsable = isUsableConnection(saved)
    return toolRefusal(
      'auth_required',
      `${wrong}, and your account has a connection to it: ${isUsable ? `name ${saved.id} as connection_id instead of the service_id` : `${saved.id}, which does not work as it is (${saved.status})`}`,
      [isUsable ? connectAgain(saved) : showConnection(saved.id), connectionsTo(serviceId)],
      facts,
    )
  }
  const bound =
    credentialKey === null
      ? ''
      : `bind_credentials_bag {"credentials_bag": {"${credentialKey}": "<secret>"}} for this session, the header x-gateway-cred-${credentialKey} for one call, or `
  const others: NextActions = [
    bindAction(credentialKey),
    detailsAction({ service_id: serviceId }),
    listMcpsAction,
  ]
  return toolRefusal(
    'auth_required',
    `${wrong}: give them with ${bound}create_connection {"service_id": "${serviceId}", "credentials": {"kind": "static_secret", "secret": "<secret>"}}, which saves them for an account of this gateway (an agent by OAuth, or an API key)${byOAuth === true ? '; or without a secret, by OAuth, with {"kind": "oauth"}' : ''}`,
    byOAuth === true ? [createByOAuth(serviceId), ...others] : others,
    facts,
  )
}

const savedIsRefused = (
  serviceId: string,
  { connectionId, url }: NonNullable<AuthRequired['saved']>,
  facts: Readonly<Record<string, unknown>>,
): ToolRefusal =>
  toolRefusal(
    'auth_required',
    `${serviceId} did not take the credentials of this saved connection: its owner opens ${url} in a browser where they are signed in, and gives others`,
    [showConnection(connectionId), connectionsTo(serviceId)],
    { ...facts, connection_id: connectionId, connect_url: url },
  )

/** Names a page of ours, where only the owner of the connection can agree: never an address of somebody else. */
function consentNeeded(
  { serviceId, connectionId, why, url }: Extract<CallFailure, { outcome: 'consent_needed' }>,
  known: Readonly<Record<string, unknown>>,
): ToolRefusal {
  const wants =
    why === 'consent_needed'
      ? `${serviceId} wants the consent of the owner of this connection`
      : `${serviceId} wants more access than the owner of this connection has agreed to`
  return toolRefusal(
    'auth_required',
    `${wants}: they open ${url} in a browser where they are signed in, and agree. Then try again.`,
    [connectAfterConsent(connectionId, url), listConnectionsAction],
    { ...known, connection_id: connectionId, connect_url: url, why },
  )
}

/** The one refusal for connections that never existed and for those of another caller. */
export const unknownConnection = toolRefusal(
  'unknown_connection',
  'There is no such connection: it was deleted, its session has ended, or it was never yours',
  [listConnectionsAction, listMcpsAction],
)

export const notThisCall = toolRefusal(
  'invalid_arguments',
  'The requestState belongs to another call: send back the one of this call',
  [listConnectionsAction, listMcpsAction],
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
  return code === undefined
    ? somethingWentWrong
    : toolRefusal(code, thrown.message, [discoverNetworksAction, findServices], known)
}

const somethingWentWrong = toolRefusal(
  'internal',
  'Something went wrong on our side; try again, or tell the operator the time',
  [discoverNetworksAction, findServices],
)
