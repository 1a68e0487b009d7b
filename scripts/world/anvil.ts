import { dirname, join } from 'node:path'

import { startChild } from './child-process.ts'
import { callNode } from './json-rpc-client.ts'
import { waitUntil } from './wait-until.ts'

export interface AnvilOptions {
  /** A free one unless given. */
  port?: number
  chainId: number
  /** Timestamp of the genesis block, Unix seconds. Nodes of one chain need the same. */
  timestamp: number
  /** Seconds between blocks, or `on-demand`: blocks come by `mine` only. */
  blocks: { everySec: number } | 'on-demand'
  /** The address of a node whose chain it goes on with. */
  forkUrl?: string
}

/** A real EVM node of its own. */
export interface Anvil {
  readonly url: string
  readonly pid: number
  rpc(method: string, params?: unknown[]): Promise<unknown>
  /** One block for each timestamp (Unix seconds). The same timestamps on two nodes make the same hashes. */
  mine(timestamps: readonly number[]): Promise<void>
  pause(): void
  resume(): void
  stop(): Promise<void>
}

const listening = /Listening on 127\.0\.0\.1:(\d+)/

/** Starts anvil and returns when it answers (about 30 ms). */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const child = startChild([anvilProgram(), ...anvilArguments(options)])
  try {
    await waitUntil('anvil says where it listens', () => {
      if (!child.isRunning()) throw new Error(`anvil ended at once: ${child.output()}`)
      return listening.test(child.output())
    })
  } catch (error) {
    await child.stop()
    throw error
  }

  const url = `http://127.0.0.1:${listening.exec(child.output())?.[1]}`
  const rpc = (method: string, params: unknown[] = []) => callNode(url, method, params)
  return {
    url,
    pid: child.pid,
    rpc,
    async mine(timestamps) {
      for (const timestamp of timestamps) await rpc('evm_mine', [timestamp])
    },
    pause: child.pause,
    resume: child.resume,
    stop: child.stop,
  }
}

function anvilArguments({ port = 0, chainId, timestamp, blocks, forkUrl }: AnvilOptions): string[] {
  const mining = blocks === 'on-demand' ? ['--no-mining'] : ['--block-time', String(blocks.everySec)]
  const settings = { host: '127.0.0.1', port, 'chain-id': chainId, timestamp }
  const named = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  return [...named, ...mining, ...(forkUrl === undefined ? [] : ['--fork-url', forkUrl])]
}

/** The binary itself: the package's own command is a Node shim that would stand between us and the node's pid. */
function anvilProgram(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const manifest = `@foundry-rs/anvil-${process.platform}-${architecture}/package.json`
  return join(dirname(Bun.resolveSync(manifest, import.meta.dir)), 'bin', 'anvil')
}
