import type { CheckedTarget } from '../../platform/egress.ts'
import type { Mail } from '../channels/email.ts'

interface MailRoute {
  /** `smtp` or `smtps`, with user and password where the server asks for them. */
  readonly smtp: string
  /** The same place, looked at by the guard. */
  readonly checked: Pick<CheckedTarget, 'addresses' | 'port'>
  readonly from: string
  readonly to: readonly string[]
  readonly timeoutMs: number
}

/** Hands a mail to the server, and resolves to its answer. Rejects with what the server or the network says. */
export async function sendMail(route: MailRoute, mail: Mail): Promise<string> {
  const { protocol, hostname, username, password } = new URL(route.smtp)
  const host = hostname.replace(/^\[|\]$/g, '')
  const hasLogin = username !== ''
  const { createTransport } = await import('nodemailer') // most servers send no mail, and start sooner without it
  const transport = createTransport({
    // The address that was checked, so that no second look-up answers otherwise; the certificate is that of the name.
    host: route.checked.addresses[0],
    port: route.checked.port,
    secure: protocol === 'smtps:',
    requireTLS: hasLogin && protocol === 'smtp:',
    tls: { servername: host },
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

/** The ports that are meant where an address names none. */
const usualPorts = { 'smtp:': 587, 'smtps:': 465 } as const

/** Returns the address of a mail server as one that the guard can look at. */
export function guardedMailUrl(smtp: string): string {
  const { protocol, hostname, port } = new URL(smtp)
  return `https://${hostname}:${port === '' ? usualPorts[protocol === 'smtps:' ? 'smtps:' : 'smtp:'] : port}/`
}
