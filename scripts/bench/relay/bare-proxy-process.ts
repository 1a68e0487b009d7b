/**
 * The least that a JSON-RPC proxy on Bun can be, to see what the runtime itself costs: no key, no limit, no count, no
 * deadline, and of HTTP it understands no more than the one answer of the node behind it. Nothing to be used.
 * Arguments: its own port and the node's.
 */
const port = Number(process.argv[2])
const nodePort = Number(process.argv[3])
const head = `POST / HTTP/1.1\r\nhost: 127.0.0.1:${nodePort}\r\ncontent-type: application/json\r\ncontent-length: `
const headers = { 'content-type': 'application/json' }

/** A connection to the node, the pieces of its answer, and where that goes. */
interface Carrying {
  text: string
  answer: (text: string) => void
}

const free: Bun.Socket<Carrying>[] = []

const dial = (answer: Carrying['answer']): Promise<Bun.Socket<Carrying>> =>
  Bun.connect<Carrying>({
    hostname: '127.0.0.1',
    port: nodePort,
    data: { text: '', answer },
    socket: {
      data(socket, piece) {
        const text = socket.data.text + piece.toString('latin1')
        const bodyAt = text.indexOf('\r\n\r\n') + 4
        socket.data.text = text
        if (text.length - bodyAt < Number(/content-length: (\d+)/i.exec(text)?.[1])) return
        socket.data.text = ''
        free.push(socket)
        socket.data.answer(text.slice(bodyAt))
      },
    },
  })

Bun.serve({
  hostname: '127.0.0.1',
  port,
  async fetch(request) {
    const body = await request.text()
    const { promise, resolve } = Promise.withResolvers<string>()
    const socket = free.pop() ?? (await dial(resolve))
    socket.data.answer = resolve
    socket.write(`${head}${body.length}\r\n\r\n${body}`)
    return new Response(await promise, { headers })
  },
})
