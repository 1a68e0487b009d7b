import { randomUUID } from 'node:crypto'

/** A question that a tool asks its client, and the stream it is sent on. */
export type QuestionStream = 'call' | 'session'

/** A tool server of the 2025 era that asks the client before it answers, in every order that the protocol allows. */
export interface QuestioningServer {
  readonly url: string
  stop(): Promise<void>
}

interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: { readonly name?: string; readonly arguments?: { readonly streams?: QuestionStream[] } }
  readonly result?: { readonly content?: { readonly said?: string } }
}

/** One event stream and its writer. */
interface EventStream {
  readonly response: Response
  write(message: object): void
  close(): void
}

interface ExpectedAnswer extends PromiseWithResolvers<string> {
  readonly callEnded: Promise<void>
}

interface Session {
  readonly id: string
  readonly ownStream: PromiseWithResolvers<EventStream>
  readonly answers: Map<string, ExpectedAnswer>
}

/**
 * `pause` is awaited wherever the network or the server may take its time. With `confirmsLate` an answer is confirmed (202)
 * only when its call has ended, so that all answers of a call are under way at the same time.
 */
export function startQuestioningServer(
  pause: () => Promise<void>,
  { confirmsLate = false } = {},
): QuestioningServer {
  const sessions = new Map<string, Session>()

  function begin(message: Message): Response {
    const session: Session = { id: randomUUID(), ownStream: Promise.withResolvers(), answers: new Map() }
    sessions.set(session.id, session)
    const serverInfo = { name: 'questioning', version: '1' }
    const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo }
    return Response.json(
      { jsonrpc: '2.0', id: message.id, result },
      { headers: { 'mcp-session-id': session.id } },
    )
  }

  async function ask(session: Session, stream: EventStream, callEnded: Promise<void>): Promise<string> {
    const question = randomUUID()
    const answer = Promise.withResolvers<string>()
    session.answers.set(question, { ...answer, callEnded })
    const requestedSchema = { type: 'object', properties: { said: { type: 'string' } } }
    const params = { message: question, requestedSchema }
    await pause()
    stream.write({ jsonrpc: '2.0', id: question, method: 'elicitation/create', params })
    return answer.promise
  }

  /** Asks one question after the other, and answers the call with what the client said. */
  async function call(session: Session, stream: EventStream, { id, params }: Message): Promise<void> {
    const said: string[] = []
    const ended = Promise.withResolvers<void>()
    for (const place of params?.arguments?.streams ?? []) {
      const asked = place === 'call' ? stream : await session.ownStream.promise
      said.push(await ask(session, asked, ended.promise))
    }
    await pause()
    stream.write({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: said.join(' ') }] } })
    stream.close()
    ended.resolve()
  }

  async function post(session: Session | undefined, message: Message): Promise<Response> {
    if (message.method === 'initialize') return begin(message)
    if (session === undefined) return new Response(null, { status: 404 })
    if (message.method === 'tools/call') {
      const stream = eventStream()
      void call(session, stream, message)
      return stream.response
    }
    if (message.method === undefined) {
      const expected = session.answers.get(String(message.id))
      expected?.resolve(String(message.result?.content?.said))
      if (confirmsLate) await expected?.callEnded
    }
    await pause()
    return new Response(null, { status: 202 })
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const session = sessions.get(request.headers.get('mcp-session-id') ?? '')
      await pause()
      switch (request.method) {
        case 'POST':
          return post(session, (await request.json()) as Message)
        case 'GET': {
          const stream = eventStream()
          session?.ownStream.resolve(stream)
          return stream.response
        }
        default:
          return new Response(null, { status: 200 })
      }
    },
  })
  return { url: `http://127.0.0.1:${server.port}/mcp`, stop: () => server.stop(true) }
}

function eventStream(): EventStream {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null
  const body = new ReadableStream<Uint8Array>({
    start(own) {
      controller = own
    },
    cancel() {
      controller = null
    },
  })
  return {
    response: new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    write: (message) => controller?.enqueue(encoder.encode(`data: ${JSON.stringify(message)}\n\n`)),
    close: () => controller?.close(),
  }
}
