import { type IncomingHttpHeaders, createServer } from 'node:http'

import { SMTPServer } from 'smtp-server'

import { listenOnLoopback } from '../../scripts/world/listen-on-loopback.ts'
import { type ReceiverAnswer, makersAnswer } from './maker-forms.ts'

export interface ReceivedMessage {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Epoch ms. */
  readonly at: number
}

export interface ReceivedMail {
  readonly to: readonly string[]
  /** Headers and body as they came. */
  readonly text: string
}

/**
 * Where messages arrive: an HTTP server and a mail server on the loopback. At `/slack`, `/pagerduty`, `/bot…/sendMessage` and
 * `/api/v2/alerts` it takes what the makers of these take, and answers as they do. Mailboxes called `nobody` are not there.
 */
export interface Receivers {
  readonly url: string
  /** `smtp://127.0.0.1:<port>` */
  readonly smtp: string
  readonly messages: ReceivedMessage[]
  readonly mails: ReceivedMail[]
  /** The bodies that came to a path. */
  bodies<Body>(path: string): Body[]
  /** Says how requests of a path are answered from now on; null: never. */
  answer(
    path: string,
    answer: ReceiverAnswer | null | ((message: ReceivedMessage) => ReceiverAnswer | null),
  ): void
  stop(): Promise<void>
}

type Answering = (message: ReceivedMessage) => ReceiverAnswer | null

const usual: ReceiverAnswer = { status: 200, text: '{"ok":true}' }

export async function startReceivers(): Promise<Receivers> {
  const messages: ReceivedMessage[] = []
  const mails: ReceivedMail[] = []
  const answers = new Map<string, Answering>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { url: path = '', headers } = request
    const message = { path, headers, text: Buffer.concat(chunks).toString(), at: Date.now() }
    messages.push(message)
    const given = answers.get(path)
    const answer = given === undefined ? (makersAnswer(path, message.text) ?? usual) : given(message)
    if (answer === null) return
    response.writeHead(answer.status, answer.headers)
    response.end(answer.text ?? '')
  })
  const mailServer = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo({ address }, _, callback) {
      const isThere = !address.startsWith('nobody@')
      callback(isThere ? null : Object.assign(new Error('No such user here'), { responseCode: 550 }))
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        mails.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
        })
        callback()
      })
    },
  })
  mailServer.on('error', () => undefined) // a client that goes in the middle
  const port = await listenOnLoopback(server)
  const mailPort = await listenOnLoopback(mailServer.server)
  return {
    url: `http://127.0.0.1:${port}`,
    smtp: `smtp://127.0.0.1:${mailPort}`,
    messages,
    mails,
    bodies: (path) => messages.filter((message) => message.path === path).map(({ text }) => JSON.parse(text)),
    answer: (path, answer) => void answers.set(path, typeof answer === 'function' ? answer : () => answer),
    async stop() {
      server.closeAllConnections()
      server.close()
      await new Promise<void>((resolve) => mailServer.close(() => resolve()))
    },
  }
}
