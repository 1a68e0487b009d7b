import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { waitUntil } from '../../world/wait-until.ts'
import { temporaryDataDir } from '../../world/database.ts'
import { projectDir } from '../../world/program.ts'
import type {
  BenchAnswer,
  BenchQuestion,
  BenchServerSettings,
  Started,
  Ticks,
  ProcessUsage,
} from './messages.ts'

/** A server under test, with a data folder and an embedded PostgreSQL of its own. */
export interface BenchServerProcess extends Started {
  readonly dataDir: string
  createToken(): Promise<string>
  /** Waits until so many services have a decision. */
  untilDecided(count: number): Promise<void>
  /** What its process uses during the work. */
  usageDuring(work: () => Promise<unknown>): Promise<ProcessUsage>
  /** How its event loop comes round during the work. */
  ticksDuring(work: () => Promise<unknown>): Promise<Ticks>
  stop(): Promise<void>
}

/** `file` is the content of the declarative file. */
export async function startBenchServer(file: object): Promise<BenchServerProcess> {
  const home = temporaryDataDir()
  const settings: BenchServerSettings = {
    dataDir: join(home, 'data'),
    filePath: join(home, 'gatehouse.yaml'),
  }
  // JSON is YAML, and quicker to write.
  writeFileSync(settings.filePath, JSON.stringify(file))

  const answers = new Map<BenchAnswer['kind'], (answer: BenchAnswer) => void>()
  const child = Bun.spawn(
    [process.execPath, '--no-env-file', 'scripts/bench/server/main.ts', JSON.stringify(settings)],
    {
      cwd: projectDir,
      stdin: 'ignore',
      // Its log, of errors only; our standard output is for results.
      stdout: 2,
      stderr: 'inherit',
      serialization: 'json',
      ipc(answer: BenchAnswer) {
        answers.get(answer.kind)?.(answer)
      },
    },
  )

  /** The next answer of a kind; rejects when the server ends without one. */
  function expect<Kind extends BenchAnswer['kind']>(
    kind: Kind,
  ): Promise<Extract<BenchAnswer, { kind: Kind }>> {
    const answered = new Promise<BenchAnswer>((resolve) => answers.set(kind, resolve))
    const ended = child.exited.then((code) => {
      throw new Error(`the server under test ended with ${code}`)
    })
    return Promise.race([answered, ended]).then((answer) => answer as Extract<BenchAnswer, { kind: Kind }>)
  }
  function ask<Kind extends BenchAnswer['kind']>(question: BenchQuestion, kind: Kind) {
    const answer = expect(kind)
    child.send(question)
    return answer
  }
  async function measure(work: () => Promise<unknown>, watchesTicks: boolean): Promise<ProcessUsage> {
    await ask({ kind: 'begin', watchesTicks }, 'begun')
    await work()
    return (await ask({ kind: 'end' }, 'usage')).usage
  }
  async function stop(): Promise<void> {
    if (child.exitCode === null && child.signalCode === null)
      child.send({ kind: 'stop' } satisfies BenchQuestion)
    await child.exited
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }

  const { url, comparisonUrl } = await expect('started')
  return {
    url,
    comparisonUrl,
    dataDir: settings.dataDir,
    createToken: async () => (await ask({ kind: 'token' }, 'token')).token,
    untilDecided: (count) =>
      waitUntil(
        `${count} services are decided`,
        async () => {
          await Bun.sleep(100)
          return (await ask({ kind: 'decided' }, 'decided')).count >= count
        },
        30_000,
      ),
    usageDuring: (work) => measure(work, false),
    async ticksDuring(work) {
      const { ticks } = await measure(work, true)
      if (ticks === null) throw new Error('the event loop was not watched')
      return ticks
    },
    stop,
  }
}
