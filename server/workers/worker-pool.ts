import type { Clock } from '../platform/clock.ts'
import { errorMessage } from '../platform/error-message.ts'
import type { Log } from '../platform/log.ts'
import type { WorkerProcess } from './worker-process.ts'

/** The workers of an installation: as many as there should be, each under a number of its own. */
export interface WorkerPool {
  /** Starts the first, which alone may change the database, then the others. Rejects when the first does not start. */
  start(): Promise<string>
  current(): readonly WorkerProcess[]
  /** Those as well that are starting in the place of another, or hand over and finish what they do. */
  living(): readonly WorkerProcess[]
  /** How often a worker ended that nobody had told to. */
  restarts(): number
  /** Replaces every worker by a new one, one after the other. Never rejects. */
  roll(): Promise<void>
  stop(): Promise<void>
}

interface WorkerPoolOptions {
  readonly count: number
  startWorker(number: number, isGreeting: boolean): WorkerProcess
  /** Called for each worker that has ended or is about to. */
  onLeaving(worker: WorkerProcess): Promise<void>
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Log
}

/** A worker that lived for so long is replaced at once; one that did not, after a pause that grows. */
const steadyMs = 10_000
const firstPauseMs = 1_000
const longestPauseMs = 30_000

export function createWorkerPool({
  count,
  startWorker,
  onLeaving,
  clock,
  log,
}: WorkerPoolOptions): WorkerPool {
  const workers = new Map<number, WorkerProcess>()
  /** Not counted among `workers`: one that is starting in the place of another, and one that hands over to it. */
  const changing = new Set<WorkerProcess>()
  const quickEnds = new Map<number, number>()
  const saidWhy = new Map<number, string>()
  const stopping = new AbortController()
  let restarts = 0
  let rolling: Promise<void> = Promise.resolve()
  const living = (): WorkerProcess[] => [...workers.values(), ...changing]

  /** Has it replaced whenever it ends, unless it was taken out of `workers` before. */
  function keep(worker: WorkerProcess): WorkerProcess {
    const startedAt = clock.monotonic()
    workers.set(worker.number, worker)
    void (async () => {
      const how = await worker.exited
      await onLeaving(worker)
      if (workers.get(worker.number) !== worker || stopping.signal.aborted) return
      workers.delete(worker.number)
      restarts++
      const pauseMs = pauseAfter(worker.number, clock.monotonic() - startedAt)
      await sayWhy(worker, how, pauseMs)
      await Promise.race([Bun.sleep(pauseMs), untilAborted(stopping.signal)])
      if (!stopping.signal.aborted) keep(startWorker(worker.number, false))
    })()
    return worker
  }

  function pauseAfter(number: number, livedMs: number): number {
    const quick = livedMs < steadyMs ? (quickEnds.get(number) ?? 0) + 1 : 0
    quickEnds.set(number, quick)
    return quick < 2 ? 0 : Math.min(firstPauseMs * 2 ** (quick - 2), longestPauseMs)
  }

  /** One that cannot start says why once, however often it is tried. */
  async function sayWhy({ number, ready }: WorkerProcess, how: string, pauseMs: number): Promise<void> {
    const reason = await ready.then(() => `it ended by ${how}`, errorMessage)
    const say = saidWhy.get(number) === reason && pauseMs > 0 ? log.debug : log.error
    say('a worker ended and is started again', { worker: number, reason, pauseMs })
    saidWhy.set(number, reason)
  }

  async function replace(old: WorkerProcess): Promise<void> {
    const next = startWorker(lowestFree(workers), false)
    changing.add(next)
    // It may have ended meanwhile, and then another one is started in its place anyway.
    const isToBeReplaced = (): boolean => workers.get(old.number) === old
    try {
      await next.ready
      if (!isToBeReplaced()) {
        next.stop()
        await next.exited
      }
    } finally {
      changing.delete(next)
    }
    if (stopping.signal.aborted || !isToBeReplaced()) return
    keep(next)
    changing.add(old)
    workers.delete(old.number)
    await onLeaving(old)
    old.replace([...workers.values()].filter((worker) => worker.isReady()).length + 1)
    await old.exited
    changing.delete(old)
  }

  async function rollOnce(): Promise<void> {
    const olds = [...workers.values()]
    log.info('workers are replaced, one by one', { workers: olds.length })
    for (const old of olds) {
      if (stopping.signal.aborted) return
      if (workers.get(old.number) !== old) continue
      try {
        await replace(old)
      } catch (error) {
        if (stopping.signal.aborted) return
        log.error('a new worker does not start; the others stay as they are', { error })
        return
      }
    }
    log.info('all workers are replaced')
  }

  return {
    async start() {
      const first = startWorker(1, true)
      const greeting = await first.ready
      keep(first)
      const others = Array.from({ length: count - 1 }, (_, index) => keep(startWorker(index + 2, false)))
      // One that fails is tried again while the others serve.
      await Promise.allSettled(others.map(({ ready }) => ready))
      return greeting
    },
    current: () => [...workers.values()],
    living,
    restarts: () => restarts,
    roll() {
      rolling = rolling.then(rollOnce)
      return rolling
    },
    async stop() {
      stopping.abort()
      const last = living()
      for (const worker of last) worker.stop()
      await Promise.all(last.map(({ exited }) => exited))
    },
  }
}

function lowestFree(taken: ReadonlyMap<number, unknown>): number {
  let number = 1
  while (taken.has(number)) number++
  return number
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
