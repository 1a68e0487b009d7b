import { waitUntil } from '../../../../scripts/world/wait-until.ts'

type Message = {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
  readonly method?: string
  readonly params?: { readonly subscription: string; readonly result: unknown }
}

/** A WebSocket to the relay, as a client has it. */
export interface SocketClient {
  /** Everything that came, as text. */
  readonly received: string[]
  /** How it was closed; null: it is open. */
  readonly ending: () => { readonly code: number; readonly reason: string } | null
  send(text: string): void
  /** Calls a method; resolves with the message that has its id. */
  call(method: string, params?: unknown): Promise<Message>
  notifications(): Message[]
  untilClosed(): Promise<{ readonly code: number; readonly reason: string }>
  close(): void
}

const clients = new Set<WebSocket>()

/** For `afterEach`. */
export function closeSocketClients(): void {
  for (const socket of clients) socket.close()
  clients.clear()
}

/** Rejects when it cannot be opened. */
export async function connectSocket(
  url: string,
  headers: Record<string, string> = {},
): Promise<SocketClient> {
  // The compiler knows the WebSocket of browsers only, which sends no headers.
  const socket: WebSocket = Reflect.construct(WebSocket, [url, { headers }])
  clients.add(socket)
  const received: string[] = []
  let ending: { code: number; reason: string } | null = null
  let lastId = 0
  socket.addEventListener('message', ({ data }) => void received.push(String(data)))
  const opened = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<{ code: number; reason: string }>()
  socket.addEventListener('open', () => opened.resolve())
  socket.addEventListener('close', ({ code, reason }) => {
    ending = { code, reason }
    closed.resolve(ending)
    opened.reject(new Error(`not opened: ${code}`))
  })
  await opened.promise
  const messages = (): Message[] => received.flatMap((text) => JSON.parse(text) as Message | Message[])

  return {
    received,
    ending: () => ending,
    send: (text) => socket.send(text),
    async call(method, params = []) {
      const id = `call-${++lastId}`
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      let answer: Message | undefined
      await waitUntil(`${method} is answered`, () => {
        answer = messages().find((message) => message.id === id)
        return answer !== undefined || ending !== null
      })
      if (answer === undefined) throw new Error(`closed before ${method} was answered`)
      return answer
    },
    notifications: () => messages().filter(({ method }) => method === 'eth_subscription'),
    untilClosed: () => closed.promise,
    close: () => socket.close(),
  }
}
