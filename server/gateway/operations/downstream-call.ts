import { inputRequired, inputResponse } from '@modelcontextprotocol/server'

import { findServices } from '../next-actions.ts'
import type { StateSeal } from '../state-seal.ts'
import { type ToolRefusal, type ToolResult, toolRefusal } from '../tool-result.ts'
import type { ToolServices, ClientCall } from '../tools/tool.ts'
import { type GatewayCaller, isLoopback } from '../authentication.ts'
import { isUsableConnection } from './connection-entry.ts'
import { callFailureRefusal, notThisCall } from './failure-refusals.ts'
import type { OperationCall } from './operation.ts'
import { sourceOf } from '../../platform/http/address-limit.ts'
import type { CallFailure, CallLink, OfferedCredentials, Scope } from '../../connections/connections.ts'
import type { GatewaySession } from '../sessions/session.ts'

export const scopeOf = ({ client, session }: OperationCall): Scope => scopeIn(client.caller, session.current)

/** Returns the scope of a call. Without a session it contains no session connections. */
export function scopeIn(caller: GatewayCaller, session: GatewaySession | null): Scope {
  const owner =
    caller.kind === 'account' ? { accountId: caller.accountId, keyId: caller.name } : { accountId: null }
  if (session !== null) return { ...owner, sessionId: session.id }
  return { ...owner, sessionId: '', address: countedAddress(caller) }
}

export const offeredBy = (
  { headers }: Pick<ClientCall, 'headers'>,
  session: GatewaySession | null,
): OfferedCredentials => ({
  bag: session?.bag ?? nothing,
  /** Parsed on access, because most tool servers take no credentials. */
  get headers() {
    return credentialHeaders(headers)
  },
  tokens: session?.tokens ?? nothing,
})

const nothing: ReadonlyMap<string, string> = new Map()

/** Returns the client's side of a downstream call: cancellation, progress, capabilities and trace fields. */
export const linkOf = ({ signal, onProgress, clientCapabilities, meta, ask }: ClientCall): CallLink => ({
  signal,
  ...(onProgress !== null && { onProgress }),
  ...(clientCapabilities !== null && { clientCapabilities }),
  ...(meta !== null && { meta }),
  ...(ask !== null && { ask }),
})

/**
 * Returns the address by which anonymous callers are counted, or null on the loopback interface, where all
 * callers share one address.
 */
export function countedAddress({ from }: GatewayCaller): string | null {
  const { address } = from.caller()
  return address !== null && isLoopback(address) ? null : sourceOf(address)
}

/**
 * Returns the seconds to wait before the caller may make another downstream call. Only callers without a key are
 * limited.
 */
export function downstreamCallWaitSec(
  caller: GatewayCaller,
  countDownstreamCall: ToolServices['countDownstreamCall'],
): number {
  if (caller.kind === 'account') return 0
  const address = countedAddress(caller)
  return address === null ? 0 : countDownstreamCall(address)
}

export const tooManyDownstreamCalls = (waitSec: number): string =>
  `Too many calls to tool servers from this address: try again in ${waitSec} seconds, or send an API key with the permission Gateway Use`

export function downstreamCallRefusal(
  { client }: OperationCall,
  { countDownstreamCall }: ToolServices,
): ToolRefusal | null {
  const waitSec = downstreamCallWaitSec(client.caller, countDownstreamCall)
  if (waitSec === 0) return null
  return toolRefusal('rate_limited', tooManyDownstreamCalls(waitSec), [findServices], {
    retry_after_seconds: waitSec,
  })
}

/** The prefix of request headers that carry secrets for tool servers. */
const prefix = 'x-gateway-cred-'

const maxSecretChars = 8_192

/**
 * Returns secrets by provider from the `x-gateway-cred-<provider>` headers. Provider names are in lower case, as
 * header names are.
 */
export function credentialHeaders(headers: Headers | null): ReadonlyMap<string, string> {
  const secrets = new Map<string, string>()
  headers?.forEach((value, name) => {
    const provider = name.startsWith(prefix) ? name.slice(prefix.length) : ''
    const secret = value.trim()
    if (provider !== '' && secret !== '' && secret.length <= maxSecretChars) secrets.set(provider, secret)
  })
  return secrets
}

/**
 * Returns validated secrets by provider in lower case, so that headers, bags and tokens can be compared by name.
 */
export const secretsByProvider = (bag: Readonly<Record<string, unknown>>): Map<string, string> =>
  new Map(
    Object.entries(bag).flatMap(([name, secret]) =>
      typeof secret === 'string' ? [[name.toLowerCase(), secret.trim()] as const] : [],
    ),
  )

/**
 * Converts a failure to a refusal. Where credentials are wanted and none of a saved connection were sent, it names those
 * that the account has.
 */
export async function failureRefusal(
  failure: CallFailure,
  call: OperationCall,
  { connections }: ToolServices,
  known?: Readonly<Record<string, unknown>>,
): Promise<ToolRefusal> {
  if (failure.outcome !== 'auth_required' || failure.saved !== undefined)
    return callFailureRefusal(failure, known)
  const saved = await connections.savedFor(scopeOf(call), failure.serviceId)
  const usable = saved.filter(isUsableConnection)
  return callFailureRefusal(failure, known, usable.length > 0 ? usable : saved)
}

type ConsentNeeded = Extract<CallFailure, { outcome: 'consent_needed' }>

/** The only question that is ours; those of tool servers come in answers of their own. */
const question = 'consent'

/**
 * Calls a tool server. Where the owner of the connection has to agree first, clients that can open addresses are asked to
 * open our page, and the call goes on once somebody who is signed in there has agreed. Nobody is asked twice: whoever
 * declines, and any other client, gets the failure, which names that page. `what` names the call in sealed states.
 */
export async function withConsent<Outcome extends { readonly outcome: string }>(
  call: OperationCall,
  what: string,
  services: ToolServices,
  send: (link: CallLink) => Promise<Outcome | ConsentNeeded>,
): Promise<Outcome | ConsentNeeded | ToolResult> {
  const { client } = call
  const link = linkBack(client, what)
  if ('kind' in link) return link
  const asked = client.pendingInput?.consent
  if (asked !== undefined && isAccepted(client)) {
    await services.connections.awaitConsent(scopeOf(call), asked, client.signal)
  }
  const outcome = await send(link)
  const canAsk = isConsentNeeded(outcome) && client.pendingInput === null && opensAddresses(client)
  return canAsk ? consentQuestion(outcome, what, client, services.seal) : outcome
}

/**
 * Returns the client's side of the call. Where the call continues an earlier one, adds the client's input and
 * the tool server's state, which must belong to the same caller and tool. What it answered to ourselves goes no further.
 */
export function linkBack(client: ClientCall, what: string): CallLink | ToolRefusal {
  const link = linkOf(client)
  const { inputResponses, pendingInput } = client
  if (pendingInput === null) return inputResponses === null ? link : { ...link, inputResponses }
  if (pendingInput.principal !== client.caller.name || pendingInput.call !== what) return notThisCall
  if (pendingInput.consent !== undefined) return link
  return {
    ...link,
    ...(inputResponses !== null && { inputResponses }),
    ...(pendingInput.state !== undefined && { requestState: pendingInput.state }),
  }
}

function isAccepted({ inputResponses }: ClientCall): boolean {
  const answer = inputResponse(inputResponses ?? {}, question)
  return answer.kind === 'elicit' && answer.action === 'accept'
}

const isConsentNeeded = (outcome: { readonly outcome: string }): outcome is ConsentNeeded =>
  outcome.outcome === 'consent_needed'

/** Returns whether a client shows its user pages to open (`elicitation.url`, since protocol 2025-11-25). */
export function opensAddresses({ clientCapabilities }: ClientCall): boolean {
  const elicitation = clientCapabilities?.['elicitation']
  return typeof elicitation === 'object' && elicitation !== null && 'url' in elicitation
}

function consentQuestion(
  { serviceId, connectionId, url }: ConsentNeeded,
  call: string,
  { caller }: ClientCall,
  seal: StateSeal,
): ToolResult {
  const message = `${serviceId} wants your consent: open this page where you are signed in, and agree there`
  const asked = inputRequired({
    inputRequests: { [question]: inputRequired.elicitUrl({ message, url }) },
    requestState: seal.seal({ principal: caller.name, call, consent: connectionId }),
  })
  return { kind: 'passed_on', result: asked }
}
