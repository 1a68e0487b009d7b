import { expect, test } from 'bun:test'

import { startReceivers } from '../../../tests/support/receivers.ts'
import { sendMail } from './send-mail.ts'

test('a mail that some of its addresses refuse goes to the others, and the answer names who refused it', async () => {
  const receivers = await startReceivers()
  const { port } = new URL(receivers.smtp)
  const to = ['ops@example.com', 'nobody@example.com']
  const checked = { addresses: ['127.0.0.1'], port: Number(port) }
  const route = { smtp: receivers.smtp, checked, from: 'gate@example.com', to, timeoutMs: 10_000 }
  const mail = { subject: 's', text: 't', html: undefined, messageId: '<1@gate.example>', headers: {} }
  try {
    expect(await sendMail(route, mail)).toEndWith('; refused for nobody@example.com')
    expect(receivers.mails.map((received) => received.to)).toEqual([['ops@example.com']])
  } finally {
    await receivers.stop()
  }
})
