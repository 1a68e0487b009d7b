import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'

const routesPath = '/proc/net/route'
/** Many routers answer questions for names; the others refuse the connection, which is an answer, too. */
const port = 53
const timeoutMs = 1_000
/** The kernel's flag of a route that leads over a gateway (RTF_GATEWAY). */
const overGateway = 2

/** Returns the IPv4 address of the gateway of the default route, by the text of `/proc/net/route`; null without one. */
export function defaultGatewayOf(routes: string): string | null {
  for (const line of routes.split('\n').slice(1)) {
    const [, destination, gateway = '', flags = '0'] = line.split('\t')
    if (destination !== '00000000' || (Number.parseInt(flags, 16) & overGateway) === 0) continue
    const bytes = gateway.match(/../g)?.map((byte) => Number.parseInt(byte, 16)) ?? []
    if (bytes.length === 4) return bytes.toReversed().join('.') // written as a little-endian number
  }
  return null
}

/** Resolves to whether the gateway of the default route is there; false where there is no such route. */
export async function gatewayAnswers(): Promise<boolean> {
  const routes = await readFile(routesPath, 'utf8').catch(() => '')
  const gateway = defaultGatewayOf(routes)
  return gateway !== null && answersTcp(gateway, port)
}

/** Resolves to whether anything at an address answers an attempt to connect, be it by a refusal. */
export function answersTcp(address: string, toPort: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port: toPort, timeout: timeoutMs })
    const finish = (answers: boolean): void => {
      socket.destroy()
      resolve(answers)
    }
    socket.unref()
    socket.on('connect', () => finish(true))
    socket.on('timeout', () => finish(false))
    socket.on('error', (error: NodeJS.ErrnoException) => finish(error.code === 'ECONNREFUSED'))
  })
}
