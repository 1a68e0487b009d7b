import { createServer } from 'node:net'

import { listenOnLoopback } from './listen-on-loopback.ts'

/** A port on which nobody listens now. For programs that cannot choose one themselves. */
export async function findFreePort(): Promise<number> {
  const server = createServer()
  const port = await listenOnLoopback(server)
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return port
}
