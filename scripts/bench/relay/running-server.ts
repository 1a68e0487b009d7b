import { connect } from 'node:net'

import { findCommand } from '../../world/find-command.ts'
import { startChild } from '../../world/child-process.ts'
import { findFreePort } from '../../world/free-port.ts'
import { waitUntil } from '../../world/wait-until.ts'

/** A server beside the one under test. */
export interface RunningServer {
  readonly port: number
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/** Starts a program on a free port and waits until it listens there. */
export async function startOnPort(commandFor: (port: number) => string[]): Promise<RunningServer> {
  const port = await findFreePort()
  const [program = '', ...rest] = commandFor(port)
  const child = startChild([findCommand(program) ?? program, ...rest])
  await waitUntil(`${program} listens`, () => {
    if (!child.isRunning()) throw new Error(`${program} ended at its start`)
    return isListening(port)
  })
  return { port, url: `http://127.0.0.1:${port}`, pid: child.pid, stop: () => child.stop() }
}

function isListening(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, '127.0.0.1', () => resolve(true))
  socket.on('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}
