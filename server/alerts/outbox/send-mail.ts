import { type Socket, connect, isIP } from 'node:net'

import type { CheckedTarget } from '../../platform/egress.ts'
import type { Mail } from '../channels/email.ts'

interface MailRoute {
  /** `smtp` or `smtps`, with user and password where the server asks for them. */
  readonly smtp: string
  /** The same place, looked at by the guard. */
  readonly checked: Pick<CheckedTarget, 'addresses' | 'port' | 'tls'>
  readonly from: string
  readonly to: readonly string[]
  readonly timeoutMs: number
}

/** Hands a mail to the server, and resolves to its answer. Rejects with what the server or the network says. */
export async function sendMail(route: MailRoute, mail: Mail): Promise<string> {
  const { protocol, hostname, username, password } = new URL(route.smtp)
  const host = hostname.replace(/^\[|\]$/g, '')
  const hasLogin = username !== ''
  const isSecure = protocol === 'smtps:'
  const { createTransport } = await import('nodemailer') // most servers send no mail, and start sooner without it
  const connection = await openSocket(route)
  const transport = createTransport({
    // The address that was checked, so that no second look-up answers otherwise; the certificate is that of the name.
    connection,
    host,
    secure: isSecure,
    requireTLS: hasLogin && !isSecure,
    tls: {
      ...(isIP(host) === 0 && { servername: host }), // the protocol knows no addresses there; the certificate is checked all the same
      ...(route.checked.tls?.ca !== undefined && { ca: route.checked.tls.ca }),
      // Without login, and where TLS is not asked for, the mail would go out in the clear if the server did not offer it.
      rejectUnauthorized: isSecure || hasLogin,
    },
    ...(hasLogin && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: route.timeoutMs,
    greetingTimeout: route.timeoutMs,
    socketTimeout: route.timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    const { response, rejected } = await transport.sendMail({
      from: route.from,
      to: [...route.to],
      subject: mail.subject,
      text: mail.text,
      ...(mail.html !== undefined && { html: mail.html }),
      messageId: mail.messageId,
      headers: { ...mail.headers },
    })
    return rejected.length === 0 ? response : `${response}; refused for ${rejected.join(', ')}`
  } finally {
    transport.close()
  }
}

/** Connects to the first of the addresses that takes a connection; each has its share of the time. */
async function openSocket({ checked: { addresses, port }, timeoutMs }: MailRoute): Promise<Socket> {
  let failure: unknown = new Error('its host name has no address')
  for (const address of addresses) {
    try {
      return await connected(address, port, timeoutMs / addresses.length)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

function connected(host: string, port: number, timeoutMs: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const socket = connect({ host, port })
  const failed = (error: Error): void => {
    clearTimeout(timer)
    socket.destroy()
    reject(error)
  }
  const timer = setTimeout(() => failed(new Error('no connection in time')), timeoutMs)
  socket.once('error', failed)
  socket.once('connect', () => {
    clearTimeout(timer)
    socket.off('error', failed)
    resolve(socket)
  })
  return promise
}

/** The ports that are meant where an address names none. */
const usualPorts = { 'smtp:': 587, 'smtps:': 465 } as const

/** Returns the address of a mail server as one that the guard can look at. */
export function guardedMailUrl(smtp: string): string {
  const { protocol, hostname, port } = new URL(smtp)
  return `https://${hostname}:${port === '' ? usualPorts[protocol === 'smtps:' ? 'smtps:' : 'smtp:'] : port}/`
}
