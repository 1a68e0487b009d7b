/**
 * The relay: JSON-RPC calls to blockchain nodes with a query key, over HTTP (`POST /rpc/{endpoint}/{key}`) and WebSocket.
 *
 * A call takes these steps:
 * 1. `rpc-route.ts` reads the address, has the key authorized (`ports.ts` names what the relay needs of other
 *    rooms), and reads the body. `http-response.ts` makes every response; answers from 1,000 bytes on are compressed
 *    for callers that take them so (`platform/http/compressed-answer.ts`), and counted as long as they are uncompressed.
 * 2. `relay-calls.ts` has the body parsed (`request/parse.ts`, `request/plain-batch.ts`; `platform/json/value-end.ts` finds values without decoding them)
 *    into JSON-RPC calls (`rpc-call.ts`). Entries that are no call, or call a method that the endpoint does not offer
 *    (`methods/method-facts.ts`), are rejected one by one; they cost nothing. `methods/families/` has a table for each
 *    family: what a method does, where it names a block, how its result may be kept, and what it costs. Methods that
 *    control the node or use its keys are relayed only where the endpoint names them, unknown ones where it says so. A key
 *    can be held to some methods and contracts (`methods/key-restrictions.ts`). `methods/call-terms.ts` says how long a call
 *    of a method may take and how much it may be, as its endpoint has it: a batch is as patient as its most patient call.
 * 3. The limits of the key admit all calls of the request or none, and the meter counts them before anything is sent.
 * 4. `forward/forward.ts` answers what it can from the cache and makes one upstream request of the rest.
 *    `cache/endpoint-cache.ts` keeps results of blocks that are final for as long as there is room, and others until the
 *    newest block changes; `cache/anchor.ts` says which blocks a result depends on, and
 *    `cache/shared-cache.ts` has final ones for all processes. `forward/routes.ts` holds the endpoints in use,
 *    `forward/endpoint-route.ts` what is known of one of them.
 *    Calls about blocks at an endpoint with several nodes of an EVM chain go through `forward/forward-blocks.ts`: the
 *    nodes are one chain to callers. `tip/served-tip.ts` decides which block is the newest that was told, from the answers
 *    that pass, `newHeads` and what verifiers see (`tip/service-heads.ts`); `tip/tip-exchange.ts` keeps it in step with other processes.
 *    `tip/prepare-call.ts` puts its number in place of a tag, and says which block a node must have to be asked. (Its number
 *    and not its hash, as EIP-1898 would have it: verifiers and most callers tell numbers only, and a node that has another
 *    block of that height would fail the call.) A tag that stays goes to nodes that are known to have the newest block, since
 *    one without it would not say so. Old state is asked of nodes that have it, as far as health knows. An older
 *    newest block is not passed on; nothing in place of a block that was told is asked for elsewhere; logs of blocks that
 *    nobody has yet are waited for, and then refused. A block that callers were told of by a node that has failed since is
 *    waited for up to five seconds, and then who asked for the newest state gets that of the best node left. `forward/forward-logs.ts` divides calls for logs that the nodes find
 *    too large (`logs/`). `forward/forward-transaction.ts` sends a transaction to three nodes at once (`transactions/`),
 *    first to the one that answers the nonces of its key.
 * 5. `forward/upstream-request.ts` makes attempts: `upstreams/choose.ts` chooses an upstream by tier, health, circuit breaker,
 *    load, weight and latency, of those whose budgets (`budgets/`) hold the calls; `upstreams/upstream-client.ts` sends with ids that cannot be guessed, so that no answer
 *    can reach another call. Equal reads in flight share a request; slow reads are hedged.
 * 6. `upstreams/upstream-response.ts` reads the response, and `forward/attempt-class.ts` says what it amounts to. Errors are
 *    looked up in the tables of `classify/`; a plain result is not looked at. An *answer* ends the request. A *node failure*
 *    counts for the circuit breaker; a *limit* gives the node a pause (`upstreams/upstream-client.ts`); *missing data*, a
 *    *call failure* (bounds of this node) and an *unsupported* method are remembered by method
 *    (`upstreams/method-support.ts`). After each of these another node is asked. Where none knows more, the words of the
 *    node are the answer, but for node failures and limits, whose words are for the operator.
 *    Upstreams with `compression` are asked for compressed answers to methods that have had long ones
 *    (`LongAnswers` in `upstreams/upstream-client.ts`); a compressed one is inflated within the bound of plain ones
 *    (`platform/http-client/decode-body.ts`), and never passed on as it came: its id has to be replaced.
 *    A batch that a node refuses as a batch (`classify/batch-refusals.ts`) goes to one that takes it, or else in parts;
 *    for an hour the node gets none that is longer.
 * 7. The entries of a batch that got no answer are asked elsewhere together. Unanswered calls get their credits back.
 * 8. Every request with a known key, refused ones included, goes to the request log with its class (`rpc-call.ts`)
 *    and its attempts.
 *
 * What is no call goes to `other-requests.ts`: preflights, WebSockets, refusals, and the help for who opens the address of a
 * key (`help/`), a page for browsers and JSON for programs.
 *
 * An endpoint that lists paths in place of methods is called by `/rpc/{endpoint}/{key}/{path}` (`rest/`): `rest-calls.ts` has
 * `request-path.ts` refuse what could be read in two ways, finds the pattern that is priced, metered and logged, and asks for
 * admission; `rest-forward.ts` asks one node after the other, and tells by the status what came of it (500 and 501 may be about
 * the call: their words in JSON are the answer where no node does better); `passed-headers.ts` lists the headers that pass.
 * Links that a node makes of its own address lead to the endpoint, as its caller addresses it, and nothing else of the node
 * shows (`upstream-traces.ts`; `written-forms.ts` knows how JSON, URLs and HTML write it). Answers are received whole, and no
 * browser shows them as a page of ours. Where a rule of the
 * operator says so (`cacheFor`), `rest-cache.ts` keeps them, in the memory of the cache and for this process alone.
 * An answer that is an event stream is passed on as it comes (`event-stream.ts`): nothing is read ahead of the caller, each
 * event is admitted, counted and charged like a call of the pattern (`event-blocks.ts` finds where it ends), and a quiet
 * stream gets comments. It ends as a whole response when either side goes, the node says nothing for 5 min, a limit of the
 * key is reached, the server shuts down, or key, path or node may not be used any more (`event-streams.ts` looks twice a
 * second, and bounds how many there are). The client connects again, to another node if need be; what was told meanwhile
 * is lost, unless its node gives events ids and tells what follows `Last-Event-ID`.
 *
 * Endpoints of the Bitcoin family also take calls in the forms of JSON-RPC 1.0 and 1.1, and answer them so, with the status
 * that Bitcoin Core would choose. `presented-key.ts` says where a key may stand besides the address: as a bearer token, in
 * `x-api-key`, or as the password of Basic authentication, with which `POST /` is relayed, too (`root-route.ts`). Paths of
 * nodes then follow the endpoint. `eth_accounts` is answered with none, free of charge, unless `methods.allow` names it:
 * wallets ask it at their start, and show people an error.
 *
 * Over WebSocket (`websocket/`) each message takes the same steps (`websocket/caller-socket.ts`), except for methods that
 * open, use or close a stream of notifications (`methods/stream-role.ts`):
 * 1. `websocket/subscriptions.ts` gives a subscription an id of our own, in the family's form. Each notification is
 *    admitted, counted and charged by its method (`websocket/notifications.ts`).
 * 2. New blocks and logs of EVM chains come from one stream for all callers who want the same of an endpoint
 *    (`websocket/chain-streams.ts`); any other stream is of its caller alone. The first to come opens it, the last to leave
 *    closes it.
 * 3. `websocket/node-streams.ts` has the streams of one node over one WebSocket (`websocket/node-socket.ts`). When the node
 *    closes it, does not answer pings, tells no block for three block times (`websocket/silence.ts`), is DOWN or is no
 *    upstream any more, they are opened at another node under the same ids. New blocks and logs since the last that were told
 *    are asked for there (`websocket/missed-blocks.ts`), nothing is told twice, and logs of blocks that are gone are taken
 *    back. For 20 s nodes are sought. Where none can go on, or more than 256 blocks are missing, the WebSockets of the
 *    callers are closed (1012). A stream that only its own node can serve ends as nodes say that themselves, where they do.
 * 4. Who reads too slowly is cut off with 4 MiB unread, besides long answers (each of 1 MiB or more, 32 MiB together, or one
 *    alone); who is cut off holds nobody up. Messages are as long as bodies may be, and wait for each other beyond 16 MiB.
 *
 * Failures: an error of a node's own (`-32603` and its like) counts against the node only where another one could answer: where
 * all fail, it is the call, and who sends it must not take the nodes from others. A monitored service that fails a call is reported as suspect, and probed at once by whoever is told. A read is
 * tried at up to three upstreams, not counting those that refuse it for a limit or the method; any other call is sent again
 * only if no upstream can have done anything with it. Then the status is 502, 504 (timeout), 413 (too long for the nodes) or 503 (all busy, or all limit
 * us: then with their `Retry-After`). An answer that is too large is not asked for again. While keys, limits or counters are unavailable the status is
 * 503, and nothing is sent. Errors of upstreams are passed on without their secrets (`upstreams/secrets.ts`).
 *
 * `borrowed-cases.md` compares what becomes of 169 calls here and at other relays, case by case.
 *
 * Known limitations: a client that pipelines has its connection closed by Bun's server when a request comes before the answer
 * to the one before. The first has run then, is charged, and its answer is lost; the later ones never begin. A request that
 * came in the same packet shows only in a later turn of the event loop, which every call would have to wait for, and nothing
 * but a listener of our own could do better, so that it is left (`pipelined-requests.test.ts` pins it, and that Bun takes the trailers
 * of a body in chunks for such a request); no browser, no library
 * that the strangers' tests know and no proxy pipelines. Tags are replaced only while the next block is not due (at most 2 s after a node has confirmed the
 * newest one), else they go as they are to the nodes that are ahead; of two nodes of a chain of which fewer than three providers are watched, one that claims too
 * high a block from the beginning is believed (one that leaps there later is not);
 * responses are received whole before they are passed on; of families other than the EVM's only constants are cached,
 * and of endpoints with one node only what is final; a
 * WebSocket closes when the server shuts down, and its client subscribes again; what other streams than new blocks and logs
 * would have told while they change nodes is lost; blocks that were made up for are headers, while anvil tells whole
 * blocks; streams over WebSocket of Lotus' own form are refused.
 */
import type { AddressLimit } from '../platform/http/address-limit.ts'
import type { PublicAddress } from '../platform/http/public-address.ts'
import type { Limits } from '../limits/limits.ts'
import type { Clock } from '../platform/clock.ts'
import type { StreamingEgress } from '../platform/egress.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { UpstreamBudgets } from './budgets/budgets.ts'
import { createRoutes, type RelayCache } from './forward/routes.ts'
import type { LimitHeaders } from './http-response.ts'
import type {
  DecisionOf,
  NodeBoundsOf,
  RelayEndpoints,
  RelayKeys,
  RelayMeter,
  RelayRequestLog,
  SuspectService,
} from './ports.ts'
import { createRelayCalls } from './relay-calls.ts'
import { createRelayMetrics } from './relay-metrics.ts'
import { createRestCalls } from './rest/rest-calls.ts'
import { createRpcRoute, type RpcRoute } from './rpc-route.ts'
import { type RelaySettings, relaySettings } from './settings.ts'
import type { ServiceHeads } from './tip/service-heads.ts'
import type { SharedTips } from './tip/shared-tips.ts'
import { observeUpstreams } from './upstreams/upstream-metrics.ts'
import { createCallerSockets } from './websocket/caller-sockets.ts'

export interface RelayOptions {
  readonly keys: RelayKeys
  readonly endpoints: RelayEndpoints
  readonly limits: Pick<Limits, 'admit'>
  readonly limitHeaders: LimitHeaders
  readonly meter: RelayMeter
  readonly requestLog: RelayRequestLog
  readonly decisionOf: DecisionOf
  /** The heads of monitored services, as verifiers see them. */
  readonly serviceHeads: ServiceHeads
  /** What the processes of an installation know of the newest blocks; null for a single process. */
  readonly sharedTips: SharedTips | null
  readonly cache: RelayCache
  readonly nodeBounds: NodeBoundsOf
  /** What upstreams may be asked. */
  readonly budgets: Pick<UpstreamBudgets, 'of'>
  readonly suspect: SuspectService
  /** Returns `scheme://host[:port]` of this installation. */
  readonly origin: () => string
  /** The configured address of this installation; null where nobody has configured one. */
  readonly publicAddress: PublicAddress | null
  /** Counts requests with a wrong key, by address. */
  readonly wrongKeys: AddressLimit
  readonly egress: StreamingEgress
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly settings?: Partial<RelaySettings>
}

export interface Relay {
  /** The route of HTTP requests and WebSockets. */
  readonly route: RpcRoute
  /** Opens no more WebSockets and event streams, ends the latter, and closes the open ones once their messages in flight are answered. */
  drainSockets(): Promise<void>
  /** Ends the calls in flight, and closes the connections to upstreams. */
  close(): void
}

export function createRelay(options: RelayOptions): Relay {
  const { keys, endpoints, limits, limitHeaders, meter, requestLog, wrongKeys, clock } = options
  const settings = { ...relaySettings, ...options.settings }
  const relayMetrics = createRelayMetrics(options.metrics, () => routes.openBreakers())
  const monitored = { suspect: options.suspect, boundsOf: options.nodeBounds }
  const routes = createRoutes({ ...options, settings, relayMetrics, monitored, random: Math.random })
  observeUpstreams(options.metrics, clock.now, () =>
    [...routes.all()].filter(({ endpoint }) => endpoints.find(endpoint.name) !== undefined),
  )
  const relayCalls = createRelayCalls({ routes, limits, meter, requestLog, clock, settings })
  const sockets = createCallerSockets(
    {
      ...options,
      settings,
      relayMetrics,
      relayCalls,
      routeOf(name) {
        const endpoint = endpoints.find(name)
        return endpoint === undefined ? null : routes.of(endpoint)
      },
      resolve: options.egress.resolve,
      now: clock.monotonic,
      random: Math.random,
    },
    options.metrics,
  )
  const restCalls = createRestCalls({ ...options, routes, settings, relayMetrics })
  return {
    route: createRpcRoute({
      keys,
      endpoints,
      relayCalls,
      sockets,
      restCalls: restCalls.relay,
      origin: options.origin,
      limitHeaders,
      wrongKeys,
      relayMetrics,
      requestLog,
    }),
    async drainSockets() {
      restCalls.drain()
      await sockets.drain()
    },
    close: () => routes.close(),
  }
}
