import { dirname, extname, join } from 'node:path'

import { privateFolder } from '../config/data-folder.ts'
import { askControlSocket } from '../platform/http/control-socket.ts'
import type { ToSupervisor, ToWorker, WorkerOrder } from './messages.ts'

/** One worker, from its start to its end. */
export interface WorkerProcess {
  readonly number: number
  /** Resolves with its greeting when it serves; rejects with a sentence when it ends before. */
  readonly ready: Promise<string>
  isReady(): boolean
  /** How often it has given a sign of life, which it does every second once it runs. */
  signsOfLife(): number
  /** Resolves when it has ended, with how: `exit code 1`, `SIGKILL`. */
  readonly exited: Promise<string>
  /** Has it hand over to the newest of so many that listen, and end. */
  replace(listeners: number): void
  /** Has it finish what it does, and end. */
  stop(): void
  /** Ends it whether or not it reads what it is told. */
  kill(): void
  /** Asks its control socket. Rejects when it does not answer in time. */
  ask(path: string, options?: RequestInit): Promise<Response>
}

/** The program beside the one that runs, which is a source in a clone and bundled in a release. */
const program = join(dirname(Bun.main), 'workers', `worker${extname(Bun.main)}`)

/** Starts a worker with the environment and the flags of this process. */
export function startWorker(order: WorkerOrder): WorkerProcess {
  const { promise: ready, resolve: becomeReady, reject: fail } = Promise.withResolvers<string>()
  let isReady = false
  let signsOfLife = 0
  let reason: string | null = null
  const child = Bun.spawn([process.execPath, ...process.execArgv, program], {
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'inherit',
    serialization: 'json',
    ipc(message: ToSupervisor) {
      if (message.kind === 'alive') signsOfLife++
      else if (message.kind === 'failed') reason = message.reason
      else {
        isReady = true
        becomeReady(message.greeting)
      }
    },
  })
  const send = (message: ToWorker): void => {
    if (child.exitCode === null && child.signalCode === null) child.send(message)
  }
  const exited = child.exited.then(() => {
    isReady = false
    const how: string = child.signalCode?.toString() ?? `exit code ${child.exitCode}`
    fail(new Error(reason ?? `it ended by ${how} at its start`))
    return how
  })
  // Whoever does not wait for it hears of its end by `exited`.
  ready.catch(() => undefined)
  send({ kind: 'start', order })
  return {
    number: order.number,
    ready,
    isReady: () => isReady,
    signsOfLife: () => signsOfLife,
    exited,
    replace: (listeners) => send({ kind: 'replaced', listeners }),
    stop: () => child.kill('SIGTERM'),
    kill: () => child.kill('SIGKILL'),
    ask: (path, options) => askControlSocket(privateFolder(order.dataDir), path, options),
  }
}
