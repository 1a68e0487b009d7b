import {
  type ClientCapabilities,
  type JSONRPCRequest,
  type PriorDiscovery,
  type StandardSchemaV1,
  type Tool,
  type Transport,
  type FetchLike,
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'

import { untilAborted, withinDeadline } from '../../platform/deadline.ts'
import type { DownstreamService } from '../downstream-service.ts'
import { type DownstreamFetchOptions, createDownstreamFetch } from './downstream-fetch.ts'
import {
  type DownstreamExchange,
  type ExchangeCaller,
  type Exchanges,
  createExchanges,
  exchangeHeader,
} from './exchanges.ts'
import { DownstreamError, DownstreamRefusal, timedOut } from './failure.ts'
import { followNotices } from './notices.ts'
import { type QuotedSecret, createQuotedSecret, createQuotedTokens, hiddenInResult } from './quoted-secret.ts'
import type { DownstreamLimits } from './limits.ts'
import { type PlainRequest, createPlainRequest, isPlainName } from './plain-requests.ts'
import type { Params } from './plain-requests.ts'
import { readFailure } from './read-failure.ts'
import { withUnpredictableIds } from './unpredictable-ids.ts'

type DownstreamOptions = Omit<DownstreamFetchOptions, 'exchanges' | 'onBroken' | 'canBeAsked' | 'onToken'> & {
  /** Called when the server quoted the secret that it was sent; what it said is passed on without it. */
  onSecretQuoted(): void
  /** What its callers can be asked: tool servers before protocol 2026-07-28 are told when the connection begins. */
  readonly askable: ClientCapabilities
  /** Whether results of tools that are no errors keep the secret. */
  readonly showsSecrets: boolean
  /** The protocol versions that the server is known to support; null asks the server. */
  readonly protocolSupport: PriorDiscovery | null
}

/** An open connection to one tool server, for one holder and one credential. */
export interface Downstream {
  /**
   * Sends a request and returns its result unchanged. Rejects with a `DownstreamError`, with a `DownstreamRefusal`
   * when the server refuses, and with the reason of the caller's signal.
   */
  request(method: string, params: Params, caller: ExchangeCaller): Promise<unknown>
  /** Does the same for `tools/call` with a tool whose schema wants some arguments as headers too. */
  callWithHeaders(params: Params & { name: string }, tool: Tool, caller: ExchangeCaller): Promise<unknown>
  readonly era: 'modern' | 'legacy'
  readonly protocolSupport: PriorDiscovery
  readonly protocolVersion: string | null
  readonly server: { readonly name: string; readonly version: string } | null
  readonly instructions: string | null
  /** Returns false once the connection was closed or broke. */
  isOpen(): boolean
  close(): void
}

const ourselves = { name: 'gatehouse', version: '1.0.0' }

const asItCame: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'gatehouse', validate: (value) => ({ value }) },
}

/**
 * A validator that accepts everything: results are for the caller to judge, and no code is ever compiled from a tool
 * server's schema.
 */
const noValidation = {
  getValidator(): never {
    throw new TypeError('schemas of downstreams are not compiled')
  },
}

/** Opens a connection within `limits.connectMs`. Rejects like `Downstream.request`. */
export async function openDownstream(options: DownstreamOptions, signal: AbortSignal): Promise<Downstream> {
  const { service, limits, protocolSupport } = options
  const exchanges = createExchanges(limits)
  const client = new Client(ourselves, {
    capabilities: options.askable,
    versionNegotiation: { mode: 'auto' },
    jsonSchemaValidator: noValidation,
  })
  const line = { broken: null as DownstreamError | null, isOpen: true }
  const close = (): void => {
    line.isOpen = false
    exchanges.endAll(line.broken ?? new DownstreamError('unreachable', 'closed'))
    const telling = noticesUnderWay()
    if (telling === null) return end()
    // A call that is cancelled just now: its server is told before the connection ends, and with it the session.
    void withinDeadline(telling, lastNoticesMs).then(end, end)
  }
  const end = (): void => {
    void client.close()
    endSession()
  }
  // The SDK has no events to listen to, but fields to set.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  client.onclose = () => {
    line.isOpen = false
  }
  // What breaks the connection closes it, and a transport that was closed while it connected never says how that ended.
  const broken = Promise.withResolvers<never>()
  broken.promise.catch(() => undefined)
  const onBroken = (error: DownstreamError): void => {
    line.broken ??= error
    broken.reject(error)
    close()
  }
  const { credential, bearer, onSecretQuoted, showsSecrets } = options
  const tokens = bearer === null ? null : createQuotedTokens(onSecretQuoted)
  const onToken = tokens?.sent ?? ignored
  const { fetch, post, endSession } = createDownstreamFetch({
    ...options,
    exchanges,
    onBroken,
    onToken,
    canBeAsked: Object.keys(options.askable).length > 0,
  })
  const transport = withUnpredictableIds(transportOf(service, fetch), exchanges.hear)
  const noticesUnderWay = followNotices(transport)
  const prior = service.transport === 'sse' ? olderEra : protocolSupport
  try {
    const connecting = client.connect(transport, {
      ...(prior === null ? {} : { prior }),
      timeout: limits.connectMs,
    })
    await withinDeadline(
      untilAborted(Promise.race([connecting, broken.promise]), signal),
      limits.connectMs,
      timedOut,
    )
  } catch (error) {
    close()
    throw readFailure(error, line.broken, signal)
  }
  const quoted =
    tokens ?? (credential === null ? null : createQuotedSecret(credential.secret, onSecretQuoted))
  client.fallbackRequestHandler = askerOf(exchanges, quoted)
  const facts = factsOf(client, quoted)
  const { era, protocolVersion } = facts
  const plain =
    era === 'legacy' || protocolVersion === null
      ? null
      : createPlainRequest({ post, protocolVersion, ourselves, hear: exchanges.hear })
  return {
    ...requestsOf({ client, exchanges, limits, plain, quoted, showsSecrets, broken: () => line.broken }),
    ...facts,
    isOpen: () => line.isOpen,
    close,
  }
}

const ignored = (): void => undefined

/** The time in which a tool server should have taken notice of what it is told at the end. */
const lastNoticesMs = 2_000

/** The support of servers that speak HTTP with SSE, which belongs to the first protocol revision. */
const olderEra: PriorDiscovery = { kind: 'legacy' }

function transportOf({ url, transport }: DownstreamService, fetch: FetchLike): Transport {
  const common = { fetch, redirectPolicy: 'follow' as const } // the guarded fetch refuses each of them
  if (transport === 'sse') return new SSEClientTransport(new URL(url), common)
  return new StreamableHTTPClientTransport(new URL(url), {
    ...common,
    reconnectionOptions: {
      initialReconnectionDelay: 500,
      maxReconnectionDelay: 5_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 2,
    },
  })
}

interface Line {
  readonly client: Client
  readonly exchanges: Exchanges
  readonly limits: DownstreamLimits
  /** Sends requests without the SDK; null where the protocol version requires the SDK. */
  readonly plain: PlainRequest | null
  /** Finds the secret of the connection in what the server says; null where none is sent. */
  readonly quoted: QuotedSecret | null
  readonly showsSecrets: boolean
  broken(): DownstreamError | null
}

function requestsOf(line: Line): Pick<Downstream, 'request' | 'callWithHeaders'> {
  const { client, exchanges, limits, plain, quoted, showsSecrets, broken } = line

  async function exchange(
    method: string,
    caller: ExchangeCaller,
    params: Params,
    send: (params: Params, exchange: DownstreamExchange) => Promise<unknown>,
  ): Promise<unknown> {
    const one = exchanges.open(quoted === null ? caller : withHiddenProgress(caller, quoted))
    try {
      const result = await send(withProgressToken(params, one.id), one)
      const isShown = showsSecrets && method === 'tools/call'
      return quoted === null ? result : hiddenInResult(result, quoted, isShown)
    } catch (error) {
      const failure = readFailure(error, one.failure ?? broken(), caller.signal)
      if (quoted === null || !(failure instanceof DownstreamRefusal)) throw failure
      const { code, message, data } = failure
      throw new DownstreamRefusal(code, quoted.hiddenIn(message), quoted.hiddenInAll(data))
    } finally {
      one.close()
    }
  }

  /** Returns the SDK's options for an exchange. The header lets the fetch below find the exchange again. */
  const sdkOptions = ({ id, signal }: DownstreamExchange) => ({
    headers: { [exchangeHeader]: id },
    signal,
    timeout: limits.callTotalMs + sdkIsLaterMs,
    allowInputRequired: true,
  })

  return {
    request: (method, params, caller) =>
      exchange(method, caller, params, (whole, one) =>
        plain !== null && isPlainName(whole.name)
          ? plain(method, whole, one)
          : client.request({ method, params: whole }, asItCame, sdkOptions(one)),
      ),
    callWithHeaders: (params, toolDefinition, caller) =>
      exchange('tools/call', caller, params, (whole, one) =>
        client.callTool({ ...whole, name: params.name }, { ...sdkOptions(one), toolDefinition }),
      ),
  }
}

/**
 * The margin after which the SDK's own deadline follows: the exchange keeps the deadline, because it sees progress.
 */
const sdkIsLaterMs = 1_000

const withProgressToken = (params: Params, progressToken: string): Params => ({
  ...params,
  _meta: { ...(typeof params._meta === 'object' ? params._meta : {}), progressToken },
})

/** Returns what passes questions of the server on, without the secret. */
const askerOf =
  (exchanges: Pick<Exchanges, 'ask'>, quoted: QuotedSecret | null) =>
  ({ method, params }: Pick<JSONRPCRequest, 'method' | 'params'>) =>
    exchanges.ask({
      method,
      ...(params !== undefined && { params: Object(quoted?.hiddenInAll(params) ?? params) }),
    })

function withHiddenProgress(caller: ExchangeCaller, quoted: QuotedSecret): ExchangeCaller {
  const { signal, traffic, onProgress, ask } = caller
  return {
    signal,
    ...(ask !== undefined && { ask }),
    ...(traffic !== undefined && { traffic }),
    ...(onProgress !== undefined && {
      onProgress: ({ message, ...progress }) =>
        onProgress({ ...progress, ...(message !== undefined && { message: quoted.hiddenIn(message) }) }),
    }),
  }
}

function factsOf(
  client: Client,
  quoted: QuotedSecret | null,
): Pick<Downstream, 'era' | 'protocolSupport' | 'protocolVersion' | 'server' | 'instructions'> {
  const discover = client.getDiscoverResult()
  const version = client.getServerVersion()
  const instructions = client.getInstructions()
  const said = (text: string): string => quoted?.hiddenIn(text) ?? text
  return {
    era: client.getProtocolEra() ?? 'legacy',
    protocolSupport: discover === undefined ? olderEra : { kind: 'modern', discover },
    protocolVersion: client.getNegotiatedProtocolVersion() ?? null,
    server: version === undefined ? null : { name: said(version.name), version: said(version.version) },
    instructions: instructions === undefined ? null : said(instructions),
  }
}
