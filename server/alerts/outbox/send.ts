import type { AlertChannel } from '../../../shared/alert-channels.ts'
import {
  type Egress,
  EgressError,
  type EgressErrorCode,
  type StreamingEgress,
} from '../../platform/egress.ts'
import { redactText } from '../../platform/redact.ts'
import { retryAfterOf } from '../../platform/retry-after.ts'
import type { Notice } from '../alert-event.ts'
import { alertmanagerChannel } from '../channels/alertmanager.ts'
import {
  type ChannelAnswer,
  type ChannelRequest,
  type HttpChannel,
  isSuccess,
  json,
} from '../channels/channel.ts'
import { type Mail, mailOfContent, mailOfNotice } from '../channels/email.ts'
import { pagerDutyChannel } from '../channels/pagerduty.ts'
import { slackChannel } from '../channels/slack.ts'
import { telegramChannel } from '../channels/telegram.ts'
import { webhookChannel, webhookSignature } from '../channels/webhook.ts'
import { privateAddressText } from '../../platform/egress/private-address.ts'
import type { SealedMessage } from './addressed-message.ts'
import { guardedMailUrl, sendMail } from './send-mail.ts'

/** What became of one attempt. */
export interface SendResult {
  readonly ok: boolean
  /** The status and the beginning of the answer, or why there was none; without secrets. */
  readonly answer: string
  /** How long (ms) the receiver asks to be left alone; null where it does not say. */
  readonly retryAfterMs: number | null
  /** There is no such mailbox: another attempt ends alike, and the channel works. */
  readonly isRefused: boolean
}

interface SendOptions {
  readonly egress: Pick<Egress, 'request'> & Pick<StreamingEgress, 'resolve'>
  /** The way to addresses that strangers chose. */
  readonly strangers: Pick<Egress, 'request'>
  /** Epoch ms. */
  readonly now: () => number
  /** The address of this installation. */
  readonly origin: () => string
  readonly timeoutMs?: number
}

const answerBytes = 16_384
const answerChars = 300

export type Send = ReturnType<typeof createSend>

/** Sends messages over the guarded way out. Nothing rejects: every failure is a result. */
export function createSend({ egress, strangers, now, origin, timeoutMs = 10_000 }: SendOptions) {
  async function post(
    request: ChannelRequest,
    isTaken: (answer: ChannelAnswer) => boolean,
    way: Pick<Egress, 'request'> = egress,
  ): Promise<SendResult> {
    try {
      const { status, text, headers } = await way.request({
        ...request,
        method: 'POST',
        headers: { ...request.headers, 'user-agent': 'Gatehouse' },
        timeoutMs,
        maxBytes: answerBytes,
        // Whoever took a message has said so by then, and would get it again.
        keepsBeginning: true,
      })
      const ok = isTaken({ status, text })
      const retryAfterMs = retryAfterOf(headers)
      return { ok, answer: answerText(`${status} ${text}`), retryAfterMs, isRefused: false }
    } catch (error) {
      return failed(failureText(error, request.url))
    }
  }

  async function postAll<Spec>(channel: HttpChannel<Spec>, spec: Spec, notice: Notice): Promise<SendResult> {
    let result: SendResult = { ok: true, answer: 'nothing to send', retryAfterMs: null, isRefused: false }
    for (const request of channel.requests(spec, notice, { now: now(), origin: origin() })) {
      result = await post(request, channel.isTaken)
      if (!result.ok) break
    }
    return result
  }

  async function mail(
    { smtp, from }: Extract<AlertChannel, { type: 'email' }>,
    to: readonly string[],
    written: Mail,
  ): Promise<SendResult> {
    if (to.length === 0) return failed('the channel has no address to send to')
    try {
      const checked = await egress.resolve(guardedMailUrl(smtp))
      const answer = await sendMail({ smtp, checked, from, to, timeoutMs }, written)
      return { ok: true, answer: answerText(answer), retryAfterMs: null, isRefused: false }
    } catch (error) {
      return { ...failed(failureText(error, guardedMailUrl(smtp))), isRefused: isRefusedMailbox(error, to) }
    }
  }

  return {
    /** Sends a notice where a channel says. */
    notice(spec: AlertChannel, notice: Notice): Promise<SendResult> {
      switch (spec.type) {
        case 'webhook':
          return postAll(webhookChannel, spec, notice)
        case 'slack':
          return postAll(slackChannel, spec, notice)
        case 'telegram':
          return postAll(telegramChannel, spec, notice)
        case 'pagerduty':
          return postAll(pagerDutyChannel, spec, notice)
        case 'alertmanager':
          return postAll(alertmanagerChannel, spec, notice)
        case 'email':
          return mail(spec, spec.to, mailOfNotice(notice, { now: now(), origin: origin() }))
      }
    },

    /** Sends a message of another domain; `spec` is that of the channel that a mail goes over. */
    addressed(id: string, { to, content }: SealedMessage, spec: AlertChannel | null): Promise<SendResult> {
      if (to.kind === 'email') {
        if (spec?.type !== 'email')
          return Promise.resolve(failed('there is no channel of type email under this name'))
        return mail(spec, [to.address], mailOfContent(id, content, { now: now(), origin: origin() }))
      }
      const { title: _title, body } = content
      const headers = { ...json, ...webhookSignature({ id, body, secret: to.secret, now: now() }) }
      return post({ url: to.url, headers, body }, isSuccess, to.isStranger === true ? strangers : egress)
    },
  }
}

const failed = (answer: string): SendResult => ({ ok: false, answer, retryAfterMs: null, isRefused: false })

/** Whether the mail server said for good that there is no such mailbox. */
const isRefusedMailbox = (error: unknown, to: readonly string[]): boolean =>
  to.length === 1 &&
  error instanceof Error &&
  'command' in error &&
  error.command === 'RCPT TO' &&
  'responseCode' in error &&
  Number(error.responseCode) >= 500

/** Answers are of strangers: one line, without what looks like a secret, and without what steers a terminal. */
const answerText = (text: string): string =>
  redactText(text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()).slice(0, answerChars)

const failureWords: Readonly<Partial<Record<EgressErrorCode, string>>> = {
  DNS: 'its host name is not found',
  DNS_TIMEOUT: 'the name service does not answer',
  REDIRECT: 'it redirects to another address, which is not followed: give that address itself',
  TIMEOUT: 'no answer in time',
  CONNECT: 'no connection',
  TLS: 'its certificate is not accepted',
  PROTOCOL: 'its answer is not HTTP',
  ABORTED: 'this process stopped',
}

function failureText(error: unknown, url: string): string {
  if (error instanceof EgressError) {
    if (error.code === 'ADDRESS') return privateAddressText(url)
    return failureWords[error.code] ?? `the address is not allowed (${error.code})`
  }
  return error instanceof Error ? answerText(error.message) : 'it failed'
}
