import { consolePages } from '../../../shared/console-pages.ts'
import { fault } from '../../platform/fault.ts'
import { type DirectRoute, pathOf } from '../../platform/http/direct-routes.ts'
import { faultResponse, toFault } from '../../platform/http/faults.ts'
import type { RequestFacts } from '../../platform/http/request-facts.ts'
import { preparedHeaders } from '../../platform/http/response-headers.ts'
import type { Log } from '../../platform/log.ts'
import type { ConnectionOAuth } from './connection-oauth.ts'
import type { ConsentEnd, ConsentingOwner } from './consent.ts'
import { callbackPath, clientDocumentPath } from './own-client.ts'

interface ReturnRoutesOptions {
  readonly oauth: Pick<ConnectionOAuth, 'finish' | 'document'>
  /** Who is signed in at the browser of a request, and may act; null: nobody. */
  ownerOf(request: Request, facts: RequestFacts): Promise<ConsentingOwner | null>
  readonly log: Log
}

const longestAddress = 16_384
/** The code is exchanged meanwhile. */
const longestReturnSec = 30

/** Where authorization servers of others send our owners back to, and read what we are. They stand beside the router as all of `/oauth/` does. */
export function createReturnRoutes({ oauth, ownerOf, log }: ReturnRoutesOptions): readonly DirectRoute[] {
  async function comeBack(request: Request, facts: RequestFacts): Promise<Response> {
    if (request.url.length > longestAddress) throw fault('uri_too_long', 'The address is too long')
    facts.allowSeconds(longestReturnSec)
    const owner = await ownerOf(request, facts)
    const end: ConsentEnd =
      owner === null
        ? { outcome: 'expired', connectionId: null }
        : await oauth.finish(owner, new URL(request.url).searchParams)
    return new Response(null, { status: 303, headers: { location: pageAfter(end) } })
  }

  function showDocument(): Response {
    const document = oauth.document()
    if (document === null)
      throw fault('not_found', 'This installation has no https address that others can reach')
    return Response.json(document, { headers: { 'access-control-allow-origin': '*' } })
  }

  const onFailed = (requestId: string, error: unknown): void =>
    log.warn('somebody who came back from a consent could not be answered', { requestId, error })

  return [
    routeFor(callbackPath, comeBack, 'no-store', onFailed),
    routeFor(clientDocumentPath, showDocument, 'public, max-age=300', onFailed),
  ]
}

const routeFor = (
  path: string,
  answer: (request: Request, facts: RequestFacts) => Response | Promise<Response>,
  cache: string,
  onFailed: (requestId: string, error: unknown) => void,
): DirectRoute => ({
  prefix: path,
  template: path,
  async answer(request, facts) {
    const answered = await answerAt(request, path, () => answer(request, facts)).catch((thrown: unknown) => {
      const refused = toFault(thrown)
      if (refused.code === 'internal') onFailed(facts.requestId, thrown)
      return faultResponse(refused)
    })
    const headers = preparedHeaders({ 'cache-control': cache, ...Object.fromEntries(answered.headers) })
    headers.set('x-request-id', facts.requestId)
    return new Response(answered.body, { status: answered.status, headers })
  },
})

async function answerAt(
  request: Request,
  path: string,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  if (pathOf(request.url) !== path) throw fault('not_found', 'There is nothing at this address')
  if (request.method !== 'GET' && request.method !== 'HEAD')
    throw fault('method_not_allowed', 'This address answers to GET only', { headers: { allow: 'GET' } })
  return answer()
}

/** Our own page, told nothing but how it ended. */
const pageAfter = ({ outcome, connectionId }: ConsentEnd): string =>
  `${consolePages.connectServer.replace(':connectionId', connectionId ?? '-')}?outcome=${outcome}`
