import { expect, test } from 'bun:test'

import { silentLog } from '../../scripts/world/database.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { createWorkerPool } from './worker-pool.ts'
import type { WorkerProcess } from './worker-process.ts'

/** A worker that does nothing by itself: the test says when it is ready and when it has ended. */
function createWorker(number: number) {
  const ready = Promise.withResolvers<string>()
  const exited = Promise.withResolvers<string>()
  const told: string[] = []
  let isReady = false
  const worker: WorkerProcess = {
    number,
    ready: ready.promise,
    isReady: () => isReady,
    signsOfLife: () => 0,
    exited: exited.promise,
    replace: () => void told.push('replace'),
    stop: () => void told.push('stop'),
    kill: () => void told.push('kill'),
    ask: async () => new Response(),
  }
  return {
    worker,
    told,
    becomeReady() {
      isReady = true
      ready.resolve('')
    },
    end() {
      isReady = false
      exited.resolve('exit code 0')
      ready.reject(new Error('it ended at its start'))
    },
  }
}

async function setUp() {
  const started: ReturnType<typeof createWorker>[] = []
  const pool = createWorkerPool({
    count: 1,
    startWorker(number) {
      const one = createWorker(number)
      started.push(one)
      return one.worker
    },
    onLeaving: async () => undefined,
    clock: { monotonic: () => 0 },
    log: silentLog,
  })
  const starting = pool.start()
  const [old] = started
  if (old === undefined) throw new Error('no worker was started')
  old.becomeReady()
  await starting
  const rolling = pool.roll()
  await waitUntil('another is started', () => started.length === 2)
  const [, next] = started
  if (next === undefined) throw new Error('no other worker was started')
  return { pool, old, next, rolling, started }
}

test('one that hands over is alive until it has ended', async () => {
  const { pool, old, next, rolling } = await setUp()
  expect(pool.living()).toEqual([old.worker, next.worker])
  next.becomeReady()
  await waitUntil('the old one hands over', () => old.told.length > 0)
  expect([pool.current(), pool.living()]).toEqual([[next.worker], [next.worker, old.worker]])
  old.end()
  await rolling
  expect(pool.living()).toEqual([next.worker])
})

test('one that ends while another starts in its place is replaced once', async () => {
  const { pool, old, next, rolling, started } = await setUp()
  old.end()
  await waitUntil('it is started again', () => started.length === 3)
  const [, , again] = started
  if (again === undefined) throw new Error('it was not started again')
  again.becomeReady()
  next.becomeReady()
  await waitUntil('the one too many is told to stop', () => next.told.length > 0)
  next.end()
  await rolling
  expect([pool.living(), next.told]).toEqual([[again.worker], ['stop']])
})

/** Begins to stop, and says whether that is over. */
function stopOf(pool: { stop(): Promise<void> }) {
  let isOver = false
  const done = (async () => {
    await pool.stop()
    isOver = true
  })()
  return { done, isOver: () => isOver }
}

test('who stops while a worker is being replaced stops the one that is starting, and waits for it', async () => {
  const { pool, old, next, rolling, started } = await setUp()
  const stop = stopOf(pool)
  expect([old.told, next.told]).toEqual([['stop'], ['stop']])
  old.end()
  await old.worker.exited
  await new Promise(setImmediate)
  expect(stop.isOver()).toBe(false)
  next.end()
  await Promise.all([stop.done, rolling])
  expect(started).toHaveLength(2)
})

test('one that becomes ready just then takes no place', async () => {
  const { pool, old, next, rolling } = await setUp()
  const stop = stopOf(pool)
  next.becomeReady()
  await rolling
  expect([pool.current(), old.told]).toEqual([[old.worker], ['stop']])
  for (const one of [old, next]) one.end()
  await stop.done
})

test('who stops waits for a worker that hands over, too', async () => {
  const { pool, old, next, rolling } = await setUp()
  next.becomeReady()
  await waitUntil('the old one hands over', () => old.told.length > 0)
  const stop = stopOf(pool)
  expect([old.told, next.told]).toEqual([['replace', 'stop'], ['stop']])
  next.end()
  await next.worker.exited
  await new Promise(setImmediate)
  expect(stop.isOver()).toBe(false)
  old.end()
  await Promise.all([stop.done, rolling])
})
