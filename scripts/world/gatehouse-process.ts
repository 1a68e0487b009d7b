import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { stringify } from 'yaml'

import { copyClusterTemplate } from './cluster-template.ts'
import { findFreePort } from './free-port.ts'
import { waitUntil } from './wait-until.ts'
import { temporaryDataDir } from './database.ts'
import { operatorClient } from './operator-client.ts'
import type { OperatorClient } from './operator-client.ts'
import { commandOf, sourceCommand } from './product-programs.ts'
import { startProgram } from './program.ts'
import type { Program } from './program.ts'

/** A data folder, a port and a declarative file, on which servers are started one after the other (or at once). */
export interface TestInstallation {
  readonly url: string
  readonly port: number
  readonly dataDir: string
  readonly filePath: string
  /** Content of the declarative file: YAML, or a value to be written as YAML. */
  writeFile(content: string | object): void
  /** Starts a server and returns when it is ready, which may take so long (ms; half a minute unless given). */
  start(environment?: Record<string, string>, withinMs?: number): Promise<GatehouseProcess>
  /** Starts a server that may end at once. */
  launch(environment?: Record<string, string>): Program
  /** Kills whatever still runs, and removes the folder. For `afterAll`. */
  remove(): Promise<void>
}

/** A server that is ready. */
export interface GatehouseProcess {
  readonly url: string
  readonly pid: number
  readonly dataDir: string
  readonly operator: OperatorClient
  /** Its log and everything else it wrote. */
  output(): string
  /** Value of one line of /metrics without its prefix, for instance `health_reports_total{result="accepted"}`; 0 where there is none. */
  metric(line: string): Promise<number>
  /** Resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  /** Ends it as the kernel would. */
  kill9(): Promise<void>
  readonly program: Program
}

/** The database notices the end of its server within a moment, and writes until then; Bun gives up at what comes meanwhile. */
async function removeWrittenFolder(folder: string): Promise<void> {
  for (let tries = 0; tries < 100 && existsSync(folder); tries++) {
    rmSync(folder, { recursive: true, force: true })
    if (existsSync(folder)) await Bun.sleep(50)
  }
}

/**
 * `isFirstStart`: it begins as on the machine of somebody new, without a database that was prepared and from its source.
 * `hasBuiltInRegistry`: no other was imported; most begin with a small one, which is read at once. `command`: what starts a
 * server, this tree's unless given.
 */
export async function createTestInstallation(
  file: string | object = '',
  {
    isFirstStart = false,
    hasBuiltInRegistry = isFirstStart,
    command = isFirstStart ? sourceCommand('server/main.ts') : commandOf('server/main.ts'),
  }: { isFirstStart?: boolean; hasBuiltInRegistry?: boolean; command?: readonly string[] } = {},
): Promise<TestInstallation> {
  const home = temporaryDataDir()
  const dataDir = join(home, 'data')
  const filePath = join(home, 'gatehouse.yaml')
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const programs: Program[] = []
  const writeFile = (content: string | object): void =>
    writeFileSync(filePath, typeof content === 'string' ? content : stringify(content))
  writeFile(file)

  function launch(environment: Record<string, string> = {}): Program {
    if (!hasBuiltInRegistry && !('DATABASE_URL' in environment)) copyClusterTemplate(dataDir)
    const program = startProgram(command, {
      GATEHOUSE_PORT: String(port),
      GATEHOUSE_DATA_DIR: dataDir,
      GATEHOUSE_FILE: filePath,
      GATEHOUSE_ALLOW_PRIVATE: '127.0.0.0/8',
      ...environment,
    })
    programs.push(program)
    return program
  }

  return {
    url,
    port,
    dataDir,
    filePath,
    writeFile,
    launch,
    async start(environment, withinMs = readyWithinMs) {
      const program = launch(environment)
      await untilReady(program, url, withinMs)
      return running(program, url, dataDir)
    },
    async remove() {
      await Promise.all(programs.map((program) => program.kill()))
      await removeWrittenFolder(home)
    },
  }
}

const readyWithinMs = 30_000

async function untilReady(program: Program, url: string, withinMs: number): Promise<void> {
  await waitUntil(
    'the server is ready',
    async () => {
      if (!program.isRunning()) throw new Error(`the server ended at its start: ${program.output()}`)
      return isReady(url)
    },
    withinMs,
  ).catch((error: unknown) => {
    throw new Error(`the server does not become ready: ${program.output()}`, { cause: error })
  })
}

/** False also while nobody listens. */
export const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

function running(program: Program, url: string, dataDir: string): GatehouseProcess {
  return {
    url,
    pid: program.pid,
    dataDir,
    operator: operatorClient(dataDir),
    output: program.output,
    async metric(line) {
      const token = await readFile(join(dataDir, 'private', 'metrics-token'), 'utf8')
      const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token.trim()}` } })
      if (!response.ok) throw new Error(`/metrics answers ${response.status}`)
      const found = (await response.text()).split('\n').find((text) => text.startsWith(`gatehouse_${line} `))
      return Number(found?.split(' ').at(-1) ?? 0)
    },
    stop(signal = 'SIGTERM') {
      program.signal(signal)
      return program.exited
    },
    kill9: () => program.kill(),
    program,
  }
}
