/**
 * The least that serving one stream to many can be on this runtime: one WebSocket to the node, and each of its messages to
 * everybody, as it is. No key, no limit, no count, no id of their own. Nothing to be used.
 * Arguments: its own port and the node's.
 */
const ownPort = Number(process.argv[2])
const listeners = new Set<Bun.ServerWebSocket<undefined>>()
const headSource = new WebSocket(`ws://127.0.0.1:${process.argv[3]}`)
headSource.addEventListener('open', () =>
  headSource.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe"}'),
)
headSource.addEventListener('message', ({ data }) => {
  const text = String(data)
  for (const listener of listeners) listener.send(text)
})

Bun.serve({
  hostname: '127.0.0.1',
  port: ownPort,
  fetch: (request, server) =>
    server.upgrade(request, { data: undefined }) ? undefined : new Response(null, { status: 400 }),
  websocket: {
    open: (socket: Bun.ServerWebSocket<undefined>) => void listeners.add(socket),
    message: (socket: Bun.ServerWebSocket<undefined>) =>
      void socket.send('{"jsonrpc":"2.0","id":1,"result":"0x1"}'),
    close: (socket: Bun.ServerWebSocket<undefined>) => void listeners.delete(socket),
  },
})
