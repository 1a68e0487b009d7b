import { inputRequired, inputResponse } from '@modelcontextprotocol/server'

import type { CallFailure, CallLink } from '../../connections/connections.ts'
import type { StateSeal } from '../state-seal.ts'
import type { ToolRefusal, ToolResult } from '../tool-result.ts'
import type { ClientCall, ToolServices } from '../tools/tool.ts'
import { linkOf, scopeOf } from './downstream-call.ts'
import type { OperationCall } from './operation.ts'
import { notThisCall } from './failure-refusals.ts'

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

function opensAddresses({ clientCapabilities }: ClientCall): boolean {
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
