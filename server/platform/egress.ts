import type { Clock } from './clock.ts'
import { type AddressPolicy, createAddressPolicy } from './egress/address-policy.ts'
import { openBody, readTextBeginning, readText } from './egress/body.ts'
import { type Resolve, createCheckedAddresses, systemResolve } from './egress/checked-addresses.ts'
import { type Cutoff, createCutoffs } from './egress/cutoff.ts'
import { EgressError, type EgressErrorCode } from './egress/failure.ts'
import { type Outbound, outboundOf, outboundOfFetch } from './egress/outbound.ts'
import type { DialTarget } from './http-client/dial.ts'
import { greet } from './http-client/greet.ts'
import { createHttpClient } from './http-client/http-client.ts'
import { createPartitions } from './http-client/partition.ts'
import { remembered } from './remembered.ts'
import type { Received } from './egress/received.ts'
import { isShort, shortResponse, streamResponse } from './egress/stream-response.ts'
import { type EgressTarget, type Scheme, parseTarget } from './egress/target.ts'

export type { Resolve } from './egress/checked-addresses.ts'
export { wholeBodyOf } from './egress/stream-response.ts'
export { decompressionBomb, EgressError } from './egress/failure.ts'
export type { EgressErrorCode } from './egress/failure.ts'

export interface EgressRequest {
  url: string
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Total deadline for the whole exchange, body included. */
  timeoutMs: number
  /** Bytes of decoded body that are read before the exchange is cut off. */
  maxBytes: number
  signal?: AbortSignal
  /** A redirect is an answer like any other, and not refused. It is not followed in any case. */
  takesRedirects?: boolean
  /** The status says all: of a body that is too long, late or broken the beginning is returned, and nothing rejects after the head. */
  keepsBeginning?: boolean
  /** Certificates in PEM that are trusted in place of those of the options. */
  ca?: string | undefined
}

export interface EgressResponse {
  status: number
  headers: Headers
  text: string
  /** Length of the decoded body. */
  bytes: number
  /** When the certificate of the peer ends (Unix seconds); null without TLS. */
  certificateExpiresAt: number | null
}

export interface Egress {
  /** One exchange, its answer as text. Rejects with an `EgressError`; with `TypeError` for headers HTTP cannot carry. */
  request(request: EgressRequest): Promise<EgressResponse>
  /**
   * Opens a connection, sends nothing, and closes it. Resolves to when the certificate of the peer ends (Unix seconds); null
   * without TLS. Rejects with an `EgressError`.
   */
  greet(request: Pick<EgressRequest, 'url' | 'timeoutMs' | 'ca'>): Promise<number | null>
  /** Ends what is under way with `ABORTED`, refuses what comes later, and closes idle connections. */
  close(): void
}

export interface EgressInit extends RequestInit {
  /** Requests with another one, or with other credentials, never share a connection with this one. */
  readonly partition?: string
  /** Replaces `streamLimits`. */
  readonly limits?: { readonly timeoutMs: number; readonly maxBytes: number }
  /** Requests to other paths with the same credentials are of the same party, and may share a connection with this one. */
  readonly isOneParty?: boolean
  /** It is sent over a connection of its own, which the peer cannot have closed just now because nobody used it. */
  readonly onNewConnection?: boolean
  /** Tells an answer whose body may take any time and be of any size. Only its beginning is held to the limits. */
  readonly isEndless?: (answer: Pick<Response, 'status' | 'headers'>) => boolean
  /** Asks for a compressed answer, which is decompressed for the caller; otherwise for a plain one. */
  readonly takesCompressed?: boolean
}

/** A guarded `fetch`, for clients that bring their own protocol and take a `fetch`. */
export type EgressFetch = (input: string | URL | Request, init?: EgressInit) => Promise<Response>

/** A place that the guard has looked at. */
export interface CheckedTarget extends DialTarget {
  /** The addresses, in the order in which they should be tried. */
  readonly addresses: readonly string[]
}

export interface StreamingEgress extends Egress {
  /**
   * Where connections to a URL may be opened now, for a protocol of its own. They are opened to these addresses and to
   * nothing else, soon. An exchange with it that follows at once looks up nothing. Rejects with an `EgressError`, also when
   * `timeoutMs` has passed, which is that of `streamLimits` by default.
   */
  resolve(url: string, timeoutMs?: number): Promise<CheckedTarget>
  /** Resolves the name of a URL, sends nothing, and returns why nothing may be sent there; null when it may. */
  refusalOf(url: string): Promise<EgressErrorCode | null>
  /** The answer as it arrives, held to `streamLimits`; after the headers, its body fails with an `EgressError`. */
  fetch: EgressFetch
}

export interface EgressOptions {
  clock: Clock
  /** Addresses and CIDR blocks that may be reached although they are not public. */
  allowPrivate: readonly string[]
  /** Says which addresses may be reached besides. It is asked before each connection and each exchange. Default: none. */
  alsoAllowed?: AddressPolicy
  /** Default: https alone. */
  schemes?: readonly Scheme[]
  /** Default: any port. */
  ports?: readonly number[]
  /** Default: the operating system's resolver. */
  resolve?: Resolve
  /** Certificates in PEM that are trusted in place of the built-in ones. */
  ca?: string
  /** Deadline and size of an exchange through `fetch`, whose shape has no room for them. */
  streamLimits?: { timeoutMs: number; maxBytes: number }
}

type ExchangeOptions = Pick<EgressInit, 'partition' | 'isOneParty' | 'onNewConnection'> &
  Pick<EgressRequest, 'ca'>

const dnsTimeoutMs = 2_000
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** How the connection is closed that an answer of `fetch` came over. */
const distrustOf = new WeakMap<Response, () => void>()

/** Closes the connection of an answer of `fetch` that was meant for somebody else. */
export const distrustConnectionOf = (response: Response): void => distrustOf.get(response)?.()

/**
 * The only way out of this process to an address that somebody else chose. It resolves the name, refuses it if any
 * of its addresses is not public, and dials the address it checked, so that no second look-up can answer otherwise.
 * Redirects are never followed: they would carry the caller's credentials to a place nobody checked.
 */
export function createEgress(options: EgressOptions): StreamingEgress {
  const { streamLimits = { timeoutMs: 30_000, maxBytes: 4 << 20 } } = options
  const rules = { schemes: options.schemes ?? (['https'] as const), ports: options.ports }
  const targetOf = remembered((url) => parseTarget(url, rules))
  const addresses = createCheckedAddresses({
    resolve: options.resolve ?? systemResolve,
    mayReach: createAddressPolicy(options.allowPrivate, options.alsoAllowed),
    clock: options.clock,
    timeoutMs: dnsTimeoutMs,
  })
  const cutoffs = createCutoffs()
  const client = createHttpClient(options.clock)
  const partitionOf = createPartitions()

  const checked = async (target: EgressTarget, cutoff: Cutoff, ca = options.ca): Promise<CheckedTarget> => ({
    addresses: await addresses.of(target, cutoff),
    port: target.port,
    tls: target.scheme === 'https' ? { serverName: target.host, ca } : null,
  })

  async function exchange(
    target: EgressTarget,
    outbound: Outbound,
    cutoff: Cutoff,
    {
      partition: own = '',
      ca = options.ca,
      isOneParty = false,
      onNewConnection = false,
    }: ExchangeOptions = {},
  ): Promise<Received> {
    if (cutoff.reason !== null) throw cutoff.reason
    const { path } = target
    // A connection that one authority vouched for is none that another did.
    const partition = partitionOf(
      isOneParty ? '' : path,
      outbound.headers,
      ca === options.ca ? own : `${own} ${ca}`,
    )
    const place = { ...(await checked(target, cutoff, ca)), path, partition, onNewConnection }
    return client.send(place, outbound, cutoff)
  }

  /** Does something that ends with the deadline, or with this process. */
  async function within<Value>(
    timeoutMs: number,
    signal: AbortSignal | undefined,
    work: (cutoff: Cutoff) => Promise<Value>,
  ): Promise<Value> {
    const cutoff = cutoffs.open(timeoutMs, signal)
    try {
      return await work(cutoff)
    } catch (error) {
      throw cutoff.fail(error)
    } finally {
      cutoff.release()
    }
  }

  async function resolve(url: string, timeoutMs = streamLimits.timeoutMs): Promise<CheckedTarget> {
    const target = targetOf(url)
    return within(timeoutMs, undefined, (cutoff) => checked(target, cutoff))
  }

  return {
    resolve,

    async request({ url, method = 'GET', headers, body, ca, ...limits }) {
      const target = targetOf(url)
      const outbound = outboundOf(target, { method, headers, body })
      return within(limits.timeoutMs, limits.signal, async (cutoff) => {
        const received = await exchange(target, outbound, cutoff, { ca })
        if (limits.takesRedirects !== true) refuseRedirect(received)
        const { text, bytes } =
          limits.keepsBeginning === true
            ? await readTextBeginning(received, limits.maxBytes, cutoff)
            : await readText(openBody(received, limits.maxBytes))
        const { status, headers: answered, certificateExpiresAt } = received
        return { status, headers: answered, text, bytes, certificateExpiresAt }
      })
    },

    greet: ({ url, timeoutMs, ca }) =>
      within(timeoutMs, undefined, async (cutoff) =>
        greet(await checked(targetOf(url), cutoff, ca), cutoff.signal),
      ),

    async fetch(input, init) {
      const isRequest = input instanceof Request
      const target = targetOf(isRequest ? input.url : String(input))
      const outbound = await outboundOfFetch(target, input, init)
      const { timeoutMs, maxBytes } = init?.limits ?? streamLimits
      const cutoff = cutoffs.open(timeoutMs, init?.signal ?? (isRequest ? input.signal : null))
      try {
        const received = await exchange(target, outbound, cutoff, init)
        return await responseOf(received, init, maxBytes, cutoff)
      } catch (error) {
        const failure = cutoff.fail(error)
        cutoff.release()
        throw failure
      }
    },

    async refusalOf(url) {
      try {
        await resolve(url)
        return null
      } catch (error) {
        if (error instanceof EgressError) return error.code
        throw error
      }
    },

    close() {
      cutoffs.close()
      client.close()
    },
  }
}

async function responseOf(
  received: Received,
  init: EgressInit | undefined,
  maxBytes: number,
  cutoff: Cutoff,
): Promise<Response> {
  refuseRedirect(received)
  const isEndless = init?.isEndless?.(received) === true
  if (isEndless) cutoff.lift()
  const body = openBody(received, isEndless ? Number.POSITIVE_INFINITY : maxBytes)
  const response = isShort(received)
    ? await shortResponse(received, body, cutoff)
    : streamResponse(received, body, cutoff)
  distrustOf.set(response, received.distrust)
  return response
}

function refuseRedirect({ status }: Received): void {
  if (redirects.has(status)) throw new EgressError('REDIRECT')
}
