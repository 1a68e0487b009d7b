import { afterAll, expect, test } from 'bun:test'

import { SMTPServer } from 'smtp-server'

import { type ServerCertificate, createAuthority, selfSigned } from '../../../scripts/world/certificates.ts'
import { listenOnLoopback } from '../../../scripts/world/listen-on-loopback.ts'
import { startReceivers } from '../../../tests/support/receivers.ts'
import { sendMail } from './send-mail.ts'

const mail = { subject: 's', text: 't', html: undefined, messageId: '<1@gate.example>', headers: {} }
const timeoutMs = 10_000
const envelope = { from: 'gate@example.com', to: ['ops@example.com'], timeoutMs }

test('a mail that some of its addresses refuse goes to the others, and the answer names who refused it', async () => {
  const receivers = await startReceivers()
  const { port } = new URL(receivers.smtp)
  const to = ['ops@example.com', 'nobody@example.com']
  const checked = { addresses: ['127.0.0.1'], port: Number(port), tls: null }
  const route = { ...envelope, smtp: receivers.smtp, checked, to }
  try {
    expect(await sendMail(route, mail)).toEndWith('; refused for nobody@example.com')
    expect(receivers.mails.map((received) => received.to)).toEqual([['ops@example.com']])
  } finally {
    await receivers.stop()
  }
})

test('a mail goes to the first address of the server that takes a connection', async () => {
  const receivers = await startReceivers()
  const port = Number(new URL(receivers.smtp).port)
  const checked = { addresses: ['127.0.0.9', '::1', '127.0.0.1'], port, tls: null }
  try {
    expect(await sendMail({ ...envelope, smtp: `smtp://localhost:${port}`, checked }, mail)).toStartWith(
      '250',
    )
    expect(receivers.mails).toHaveLength(1)
    const unreachable = { addresses: ['127.0.0.9', '::1'], port, tls: null }
    const failing = sendMail({ ...envelope, smtp: `smtp://localhost:${port}`, checked: unreachable }, mail)
    await expect(failing).rejects.toThrow()
  } finally {
    await receivers.stop()
  }
})

const authority = createAuthority()
const servers: SMTPServer[] = []
afterAll(() => Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(resolve)))))

/** Starts a mail server with a certificate, and resolves to what becomes of a mail to it. */
async function mailTo(scheme: string, host: string, certificate: ServerCertificate): Promise<string> {
  const server = new SMTPServer({
    ...certificate,
    secure: scheme === 'smtps',
    authOptional: true,
    onAuth: ({ username }, _, callback) => callback(null, { user: username }),
    onData(stream, _, callback) {
      stream.on('end', () => callback(null, 'queued'))
      stream.resume()
    },
  })
  server.on('error', () => undefined) // a client that does not accept the certificate
  servers.push(server)
  const port = await listenOnLoopback(server.server)
  const tls = { serverName: host, ca: authority.ca }
  const smtp = `${scheme}://${host}:${port}`
  const route = { ...envelope, smtp, checked: { addresses: ['127.0.0.1'], port, tls } }
  return sendMail(route, mail).catch((error: Error) => `refused: ${error.message}`)
}

const ofAddress = authority.issue(['IP:127.0.0.1'])
const ofOther = authority.issue(['IP:127.0.0.2', 'DNS:other.test'])
const ofName = authority.issue(['DNS:mail.test'])
const own = selfSigned('mail.test')

test.each([
  ['smtps', '127.0.0.1', ofAddress, '250'],
  ['smtps', '127.0.0.1', ofOther, 'refused: '],
  ['smtps', '127.0.0.1', own, 'refused: '],
  ['smtps', 'mail.test', ofName, '250'],
  ['smtps', 'mail.test', ofOther, 'refused: '],
  ['smtp', 'ann:pw@127.0.0.1', ofAddress, '250'],
  ['smtp', 'ann:pw@127.0.0.1', ofOther, 'refused: '],
  ['smtp', 'ann:pw@mail.test', ofName, '250'],
  ['smtp', 'ann:pw@mail.test', ofOther, 'refused: '],
  ['smtp', 'ann:pw@mail.test', own, 'refused: '],
  ['smtp', '127.0.0.1', own, '250'],
  ['smtp', 'mail.test', own, '250'],
])(
  '%s to %s: its certificate is checked where secrecy is asked for',
  async (scheme, host, certificate, said) => {
    expect(await mailTo(scheme, host, certificate)).toStartWith(said)
  },
)
