import { untilAborted } from '../../platform/deadline.ts'
import { EgressError, type EgressFetch } from '../../platform/egress.ts'
import { dropped } from './bodies.ts'
import { serverChallengeOf } from './challenge.ts'
import { type BearerAccess, type Credential, type SentHeaders, credentialHeader } from './credential.ts'
import { DownstreamError } from './failure.ts'

export interface SenderOptions {
  readonly fetch: EgressFetch
  readonly credential: Credential | null
  /** In place of a credential, for connections by OAuth. */
  readonly bearer: BearerAccess | null
  /** Called with each token before it is sent. */
  onToken(token: string): void
}

/** A request without what lets it in. */
interface Sent {
  readonly url: string | URL
  readonly method: string
  readonly headers: SentHeaders
  readonly body: BodyInit | null
  readonly signal: AbortSignal
}

export type RequestSender = ReturnType<typeof createSender>

/** Sends requests with what lets them in: a secret, or a token that is renewed. Rejects with a `DownstreamError`. */
export function createSender({ fetch, credential, bearer, onToken }: SenderOptions) {
  const ofEveryRequest: SentHeaders = { 'user-agent': 'gatehouse', ...credentialHeader(credential) }
  const ofFrozen = new WeakMap<SentHeaders, SentHeaders>()
  let lastToken: string | null = null

  /** Frozen headers get the same ones each time. */
  function withOwn(headers: SentHeaders): SentHeaders {
    const known = ofFrozen.get(headers)
    if (known !== undefined) return known
    const whole = { ...headers, ...ofEveryRequest }
    if (Object.isFrozen(headers)) ofFrozen.set(headers, Object.freeze(whole))
    return whole
  }

  async function sendOnce({ url, method, body, signal }: Sent, headers: SentHeaders): Promise<Response> {
    try {
      return await fetch(url, { method, headers, body, signal })
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw new DownstreamError('unreachable', error instanceof EgressError ? error.code : 'fetch')
    }
  }

  function sendWith(sent: Sent, token: string): Promise<Response> {
    onToken(token)
    lastToken = token
    return sendOnce(sent, { ...withOwn(sent.headers), authorization: `Bearer ${token}` })
  }

  return {
    /** A token that is refused is renewed once, and the request, of which nothing was done, sent again. */
    async send(sent: Sent): Promise<Response> {
      if (bearer === null) return sendOnce(sent, withOwn(sent.headers))
      const found = bearer.current()
      const token = typeof found === 'string' ? found : await untilAborted(found, sent.signal)
      const answer = await sendWith(sent, token)
      if (answer.status !== 401) return answer
      await dropped(answer.body?.cancel())
      return sendWith(sent, await untilAborted(bearer.after(token), sent.signal))
    },

    /** Sends what nobody waits for with what let the last request in: no token is renewed for it. */
    sendAsBefore: (sent: Sent): Promise<Response> =>
      lastToken === null ? sendOnce(sent, withOwn(sent.headers)) : sendWith(sent, lastToken),

    /**
     * Why a request was refused. What lacks scopes says which, and the owner can be asked for them: not for the sake of a
     * request without which all calls go on.
     */
    async refusalOf(response: Response, isOptional: boolean): Promise<DownstreamError> {
      const { error, scopes } = serverChallengeOf(response)
      const isLacking = bearer !== null && response.status === 403 && error === 'insufficient_scope'
      if (isLacking && !isOptional && (await bearer.lacks(scopes)))
        return new DownstreamError('more_scope_needed')
      return new DownstreamError('unauthorized', String(response.status))
    },
  }
}
