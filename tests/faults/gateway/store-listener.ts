import { RedisClient } from 'bun'

/** Hears whatever processes say to each other over the store, and what they do to it. */
export async function listenToAll(url: string): Promise<{ stop(): Promise<string[]> }> {
  const client = new RedisClient(url)
  const heard: string[] = []
  const channels = (await client.send('PUBSUB', ['CHANNELS', 'gatehouse:gateway:*'])) as string[]
  const listener = new RedisClient(url)
  for (const channel of channels) await listener.subscribe(channel, (message) => void heard.push(message))
  return {
    async stop() {
      const keys = (await client.send('KEYS', ['gatehouse:gateway:*'])) as string[]
      heard.push(...keys)
      listener.close()
      client.close()
      return heard
    },
  }
}
