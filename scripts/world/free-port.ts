import { createServer } from 'node:net'

import { listenOnLoopback } from './listen-on-loopback.ts'

/**
 * Below the range from which Linux (32768) and macOS (49152) take the ports of outgoing connections, so that none of these
 * takes a port between its choice and its use.
 */
const firstPort = 20_000
const blockSize = 60
const blockCount = 200

let block: Promise<number> | null = null
/** How many ports of the block were given away; none of them is given away again, because its server may start anew. */
let given = 0

/**
 * Returns a port on which nobody listens now. For programs that cannot choose one themselves. Processes that run beside each
 * other never get the same: each has blocks of ports of its own.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    if (block === null || given === blockSize - 1) {
      block = claimBlock()
      given = 0
    }
    given += 1
    const place = given
    const port = (await block) + place
    if (await isFree(port)) return port
  }
}

/** Returns the first port of a block. The process listens there until it ends, so that no other one takes the block. */
async function claimBlock(): Promise<number> {
  for (let tries = 0; tries < blockCount; tries += 1) {
    const first = firstPort + ((process.pid + tries) % blockCount) * blockSize
    const claim = createServer()
    if (await listens(claim, first)) {
      claim.unref()
      return first
    }
  }
  throw new Error(`No ports from ${firstPort} to ${firstPort + blockCount * blockSize - 1} are free`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  if (!(await listens(server, port))) return false
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return true
}

const listens = (server: ReturnType<typeof createServer>, port: number): Promise<boolean> =>
  listenOnLoopback(server, port).then(
    () => true,
    () => false,
  )
