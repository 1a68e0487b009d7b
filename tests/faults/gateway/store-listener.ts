import { RedisClient } from 'bun'

import { waitUntil } from '../../../scripts/world/wait-until.ts'

/** Hears every command that processes send to the store, with all that it carries. */
export async function listenToAll(url: string): Promise<{ stop(): Promise<string[]> }> {
  const heard: string[] = []
  const { hostname, port } = new URL(url)
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: { data: (_, piece) => void heard.push(piece.toString()) },
  })
  socket.write('MONITOR\r\n')
  const client = new RedisClient(url)
  return {
    async stop() {
      await client.send('ECHO', ['the last one'])
      await waitUntil('all is heard', () => heard.join('').includes('the last one'))
      socket.end()
      client.close()
      return heard
    },
  }
}
