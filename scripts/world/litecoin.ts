import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startChild } from './child-process.ts'
import { findFreePort } from './free-port.ts'
import { callNode } from './json-rpc-client.ts'
import { waitUntil } from './wait-until.ts'

export interface LitecoinOptions {
  /** A node to exchange blocks with. */
  connectTo?: Litecoin
}

/** A real node of the Bitcoin family, on a chain of its own (regtest). */
export interface Litecoin {
  /** Address with user and password in it, as Bitcoin operators write it. */
  readonly url: string
  readonly pid: number
  readonly peerPort: number
  rpc(method: string, params?: unknown[]): Promise<unknown>
  mine(blocks: number): Promise<void>
  pause(): void
  resume(): void
  stop(): Promise<void>
}

const user = 'gatehouse'
const password = 'world'

/** An output that anybody can spend, with its checksum: blocks can be mined without a wallet. */
const coinbaseDescriptor = 'raw(51)#8lvh9jxk'

/** Starts litecoind (Debian package `litecoind`) in a temporary folder; returns when it answers (about 0.3 s). */
export async function startLitecoin(options: LitecoinOptions = {}): Promise<Litecoin> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-litecoin-'))
  const [rpcPort, peerPort] = [await findFreePort(), await findFreePort()]
  const child = startChild(['litecoind', ...settingsOf({ folder, rpcPort, peerPort }, options)])
  const url = `http://${user}:${password}@127.0.0.1:${rpcPort}`
  const rpc = (method: string, params: unknown[] = []) => callNode(url, method, params)
  const stop = async () => {
    await child.stop()
    await rm(folder, { recursive: true, force: true })
  }

  try {
    await waitUntil('litecoind answers', () => {
      if (!child.isRunning()) throw new Error('litecoind ended at once')
      return rpc('getblockcount').then(
        () => true,
        () => false,
      )
    })
  } catch (error) {
    await stop()
    throw error
  }

  return {
    url,
    pid: child.pid,
    peerPort,
    rpc,
    async mine(blocks) {
      await rpc('generatetodescriptor', [blocks, coinbaseDescriptor])
    },
    pause: child.pause,
    resume: child.resume,
    stop,
  }
}

function settingsOf(
  place: { folder: string; rpcPort: number; peerPort: number },
  { connectTo }: LitecoinOptions,
): string[] {
  const settings = [
    '-regtest',
    `-datadir=${place.folder}`,
    '-printtoconsole=0',
    '-disablewallet=1',
    `-rpcport=${place.rpcPort}`,
    `-rpcuser=${user}`,
    `-rpcpassword=${password}`,
    `-port=${place.peerPort}`,
    '-bind=127.0.0.1',
    '-listenonion=0',
    '-dnsseed=0',
    // Its extension blocks would begin at block 432, and cannot be mined without a wallet.
    '-vbparams=mweb:3000000000:3000000000',
  ]
  return connectTo ? [...settings, `-connect=127.0.0.1:${connectTo.peerPort}`] : settings
}
