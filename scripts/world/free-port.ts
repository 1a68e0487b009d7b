import { createServer } from 'node:net'

import { listenOnLoopback } from './listen-on-loopback.ts'

/**
 * Below the range from which Linux (32768) and macOS (49152) take the ports of outgoing connections, so that none of these
 * takes a port between its choice and its use.
 */
const firstPort = 20_000
const portCount = 12_000

/** Test processes that run beside each other start at different ports. */
let next = (process.pid * 61) % portCount

/** A port on which nobody listens now. For programs that cannot choose one themselves. */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < portCount; tries += 1) {
    const port = firstPort + next
    next = (next + 1) % portCount
    if (await isFree(port)) return port
  }
  throw new Error(`No port from ${firstPort} to ${firstPort + portCount - 1} is free`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await listenOnLoopback(server, port)
  } catch {
    return false
  }
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return true
}
