/**
 * A shared store inside a process: for workers of one machine, which need no Redis then. It speaks as much of Redis as
 * `store-connection.ts` asks for, over a UNIX socket: `INFO`, and `EVALSHA` of scripts whose logic it is given as functions.
 *
 * Nothing in it is asynchronous, so that one script ends before the next begins, as in Redis. What a script changes is
 * kept (`keep`) before anybody gets an answer.
 */
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'

import type { Log } from '../log.ts'
import { type Answer, createCommandReader, formatAnswer, ProtocolError, StoreError } from './resp.ts'
import { type Script, hashOfScript } from './store-connection.ts'

/** What a script does, in this process. */
export type ScriptLogic = (keys: readonly string[], values: readonly string[]) => Answer

export interface ServedStore {
  close(): Promise<void>
}

interface ServeStoreOptions {
  /** Of the socket; one that is left there by a process that is gone is replaced. */
  readonly path: string
  /** The run of this store, within which it loses nothing. */
  readonly runId: string
  readonly scripts: readonly (readonly [Script, ScriptLogic])[]
  /** Keeps what was changed. Called before answers are sent. */
  keep(): void
  readonly log: Log
}

/** Resolves when it listens; only the user of this process can connect. */
export async function serveStore(options: ServeStoreOptions): Promise<ServedStore> {
  const { path, runId, scripts, keep, log } = options
  const logicOf = new Map(scripts.map(([script, logic]) => [hashOfScript(script), logic]))
  const info = `run_id:${runId}\r\nrole:master\r\ncluster_enabled:0\r\nmaxmemory_policy:noeviction\r\n`
  const sockets = new Set<Socket>()

  function answerTo([name = '', ...parameters]: readonly string[]): Answer {
    const command = name.toUpperCase()
    if (command === 'INFO') return info
    if (command !== 'EVALSHA') return new StoreError(`ERR unknown command '${command}'`)
    const [hash = '', count = '', ...rest] = parameters
    const logic = logicOf.get(hash)
    if (logic === undefined) return new StoreError('ERR no such script: this store has those of workers only')
    return logic(rest.slice(0, Number(count)), rest.slice(Number(count)))
  }

  const server = createServer((socket) => {
    const reader = createCommandReader()
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', (error) => log.debug('a connection to the store of the workers failed', { error }))
    socket.on('data', (chunk: Buffer) => {
      try {
        const answers = reader.read(chunk).map((command) => formatAnswer(answerTo(command)))
        if (answers.length === 0) return
        keep()
        socket.write(answers.join(''))
      } catch (error) {
        if (!(error instanceof ProtocolError)) log.error('the store of the workers failed', { error })
        // Whoever asked asks anew, over another connection: a part of an answer would be taken for another one.
        socket.destroy()
      }
    })
  })
  rmSync(path, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  chmodSync(path, 0o600)
  return {
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      rmSync(path, { force: true })
    },
  }
}
