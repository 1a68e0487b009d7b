import type { Decision } from '../../../shared/health.ts'
import type { FaultMode } from '../fault-mode.ts'
import { waitUntil } from '../wait-until.ts'
import type { Backend, WatchedService } from './watched-service.ts'

/** Something that happens to one service in ordinary life, and what must be decided. */
export interface OrdinaryFault {
  readonly name: string
  /** UP: it must change nothing. */
  readonly expected: Exclude<Decision, 'UNKNOWN'>
  /** The longest time until it is decided, by the default policy; for those that change nothing, how long they last. */
  readonly withinSec: number
  suits(service: WatchedService): boolean
  begin(service: WatchedService, endpoints: EndpointEdits): unknown
  end(service: WatchedService, endpoints: EndpointEdits): unknown
}

/** What an operator writes into the declarative file. */
export interface EndpointEdits {
  set(serviceId: string, endpoint: string): void
  restore(serviceId: string): void
}

/** An interval of 10 s with its jitter, retests until 3.2 s after the first failure, and the way to whoever asks. */
const hardSec = 16
/** The same with four time-outs of 4 s. */
const timeoutSec = 26
/** An interval and a hold of 20 s. */
const softSec = 34
/** An interval and a hold of 30 s. */
const lateSec = 45
/** Thirty seconds until the lag is one, a hold of as many, and an interval. */
const frozenHeadSec = 75
const watchSec = 90

const isEvm = ({ backend }: WatchedService): boolean => backend.kind === 'shared'
const isPage = ({ backend, family }: WatchedService): boolean => backend.kind === 'fixed' && family === 'http'
const isToolServer = ({ family }: WatchedService): boolean => family === 'mcp'
const isRecorded = ({ backend }: WatchedService): boolean => backend.kind === 'recorded'
const isOfThree = ({ family }: WatchedService): boolean => ['solana', 'near', 'cosmos'].includes(family)

/** A fault of the way to the node. */
function onLine(
  name: string,
  mode: FaultMode,
  expected: OrdinaryFault['expected'],
  withinSec: number,
  suits: (service: WatchedService) => boolean = isRecorded,
): OrdinaryFault {
  return {
    name,
    expected,
    withinSec,
    suits,
    begin: ({ line }) => line.set(mode),
    end: ({ line }) => line.set({ mode: 'pass' }),
  }
}

type BackendOf<Kind extends Backend['kind']> = Extract<Backend, { kind: Kind }>

/** A fault of the backend itself. */
function onBackend<Kind extends Backend['kind']>(
  name: string,
  kind: Kind,
  expected: OrdinaryFault['expected'],
  withinSec: number,
  change: { begin(backend: BackendOf<Kind>): unknown; end(backend: BackendOf<Kind>): unknown },
  suits: (service: WatchedService) => boolean = () => true,
): OrdinaryFault {
  const isIt = (backend: Backend): backend is BackendOf<Kind> => backend.kind === kind
  const run = async (service: WatchedService, act: (backend: BackendOf<Kind>) => unknown): Promise<void> => {
    if (isIt(service.backend)) await act(service.backend)
  }
  return {
    name,
    expected,
    withinSec,
    suits: (service) => isIt(service.backend) && suits(service),
    begin: (service) => run(service, change.begin),
    end: (service) => run(service, change.end),
  }
}

/** One request is refused with a wait of several seconds, and the next ones are served. */
const oneRefusal: OrdinaryFault = {
  ...onLine('one 429 with Retry-After', { mode: 'status', status: 429, retryAfterSec: 7 }, 'UP', watchSec),
  async begin({ line }) {
    const before = line.requests()
    line.set({ mode: 'status', status: 429, retryAfterSec: 7 })
    await waitUntil('one request was refused', () => line.requests() > before, 30_000)
    line.set({ mode: 'pass' })
  },
}

/** RFC 2606 keeps this top-level domain free for names that nobody has. */
const nameOfNobody = 'http://node.invalid:8545/'

const unknownName: OrdinaryFault = {
  name: 'a name that does not resolve',
  expected: 'DOWN',
  withinSec: hardSec,
  suits: isRecorded,
  begin: ({ id }, endpoints) => endpoints.set(id, nameOfNobody),
  end: ({ id }, endpoints) => endpoints.restore(id),
}

/** The slow ones come first, so that a short run does not wait for them at its end. */
export const ordinaryFaults: readonly OrdinaryFault[] = [
  onBackend('one stale backend of two', 'balanced', 'LATENCY', 150, {
    begin: ({ balancer }) => balancer.use(0, 1),
    end: ({ balancer }) => balancer.use(0),
  }),
  onBackend(
    'head frozen, three providers',
    'recorded',
    'LATENCY',
    frozenHeadSec,
    { begin: ({ node }) => node.hold(), end: ({ node }) => node.heal() },
    isOfThree,
  ),
  onBackend(
    'head frozen, two providers',
    'recorded',
    'LATENCY',
    120,
    { begin: ({ node }) => node.hold(), end: ({ node }) => node.heal() },
    (service) => !isOfThree(service) && ['aptos', 'sui', 'ton', 'starknet'].includes(service.family),
  ),
  onLine(
    '10 % of answers are 502',
    { mode: 'sometimes', share: 0.1, fault: { mode: 'status', status: 502 } },
    'UP',
    watchSec,
  ),
  onLine(
    '5 % of requests hang',
    { mode: 'sometimes', share: 0.05, fault: { mode: 'freeze' } },
    'UP',
    watchSec,
  ),
  oneRefusal,
  onLine('slow answers, 0.75 s each', { mode: 'slow', delayMs: 750 }, 'UP', watchSec),
  onLine('a page takes 3.4 s', { mode: 'slow', delayMs: 3_400 }, 'LATENCY', lateSec + 4, isPage),
  onLine('blocks of 8,000 transactions', { mode: 'full-blocks', transactions: 8_000 }, 'UP', watchSec, isEvm),
  onLine('429 to everything', { mode: 'status', status: 429, retryAfterSec: 5 }, 'DOWN', 50),
  onBackend('90 blocks behind', 'balanced', 'LATENCY', lateSec, {
    begin: ({ balancer }) => balancer.use(1),
    end: ({ balancer }) => balancer.use(0),
  }),
  onBackend('head frozen, anvil', 'own', 'LATENCY', frozenHeadSec, {
    begin: ({ node }) => node.hold(),
    end: ({ node }) => node.heal(),
  }),
  onLine('401', { mode: 'status', status: 401 }, 'DOWN', softSec),
  onLine('HTML with status 200', { mode: 'garbage' }, 'DOWN', softSec),
  onLine('503', { mode: 'status', status: 503 }, 'DOWN', softSec, isToolServer),
  onLine('half an answer', { mode: 'truncate' }, 'DOWN', softSec),
  onBackend('a fork', 'own', 'DOWN', softSec, {
    begin: ({ node }) => node.fork(),
    end: ({ node }) => node.heal(),
  }),
  onBackend('killed', 'own', 'DOWN', hardSec, {
    begin: ({ node }) => node.stop(),
    end: ({ node }) => node.start(),
  }),
  onBackend('frozen', 'own', 'DOWN', timeoutSec, {
    begin: ({ node }) => node.pause(),
    async end({ node }) {
      node.resume()
      await node.heal()
    },
  }),
  onBackend('litecoind frozen', 'litecoin', 'DOWN', timeoutSec, {
    begin: ({ node }) => node.pause(),
    end: ({ node }) => node.resume(),
  }),
  onLine('connections reset', { mode: 'reset' }, 'DOWN', hardSec),
  onBackend(
    'another chain',
    'recorded',
    'DOWN',
    hardSec,
    { begin: ({ node }) => node.answer(node.wrongChain ?? {}), end: ({ node }) => node.heal() },
    ({ backend }) => backend.kind === 'recorded' && backend.node.wrongChain !== null,
  ),
  onLine('another chain (anvil)', { mode: 'wrong-chain', chainId: 5 }, 'DOWN', hardSec, isEvm),
  onLine('30 million blocks ahead', { mode: 'lie', headOffset: 30_000_000 }, 'DOWN', softSec, isEvm),
  unknownName,
  onBackend('certificate expired', 'secure', 'DOWN', hardSec, {
    begin: ({ endpoint }) => endpoint.expire(),
    end: ({ endpoint }) => endpoint.renew(),
  }),
]
