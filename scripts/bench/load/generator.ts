/** Reads a plan from its standard input, carries it out, and writes the result as JSON. */
import { print } from '../../print.ts'
import { percentile } from '../statistics.ts'
import type { CallsPlan, LoadPlan, LoadResult } from './load-plan.ts'

interface Connection {
  sentAt: number
  /** Of the current answer: bytes so far, and all of them once its head has come; -1 until then. */
  received: string
}

const plan: LoadPlan | CallsPlan = JSON.parse(await Bun.stdin.text())
const result = await carryOut(plan)
print(JSON.stringify(result))
process.exit(0)

async function carryOut(asked: LoadPlan | CallsPlan): Promise<LoadResult> {
  const { url, connections, seconds } = asked
  const { hostname, port, host, pathname } = new URL(url)
  const requests =
    'paths' in asked
      ? asked.paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
      : asked.bodies.map((body) => postOf(body, { ...asked.headers, host }, pathname))
  const latencies: number[] = []
  const endsAt = performance.now() + seconds * 1000
  let turn = 0
  let failures = 0

  const nextRequest = (): string => requests[turn++ % requests.length] ?? ''
  const isOver = (): boolean => performance.now() >= endsAt

  const open = () =>
    Bun.connect<Connection>({
      hostname,
      port: Number(port),
      data: { sentAt: 0, received: '' },
      socket: {
        open(socket) {
          socket.data.sentAt = performance.now()
          socket.write(nextRequest())
        },
        data(socket, chunk) {
          const connection = socket.data
          connection.received += chunk.toString('latin1')
          if (!isWhole(connection.received)) return
          const now = performance.now()
          if (!connection.received.startsWith('HTTP/1.1 2')) failures++
          latencies.push(now - connection.sentAt)
          connection.received = ''
          connection.sentAt = now
          if (isOver()) socket.end()
          else socket.write(nextRequest())
        },
        close() {
          if (!isOver()) failures++
        },
      },
    })
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: connections }, open))
  while (!isOver()) await Bun.sleep(10)
  const elapsedMs = performance.now() - startedAt

  const sorted = latencies.sort((one, other) => one - other)
  return {
    requestsPerSec: (sorted.length / elapsedMs) * 1000,
    p50Ms: percentile(sorted, 50),
    p99Ms: percentile(sorted, 99),
    failures,
  }
}

function postOf(body: string, headers: Readonly<Record<string, string>>, path: string): string {
  const all = { ...headers, 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/** One answer at a time is under way, and all of them name their length. */
function isWhole(received: string): boolean {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(received)?.[1]
  return received.length >= headEnd + 4 + Number(length ?? 0)
}
