import type { AlertChannel } from '../../../shared/alert-channels.ts'
import { eventLine, noticeTitle } from '../alert-event.ts'
import { type HttpChannel, isSuccess, json, shortened } from './channel.ts'

type Telegram = Extract<AlertChannel, { type: 'telegram' }>

/** The Bot API takes 4,096 characters. */
const mostChars = 4_000
const mostLines = 30

/** Telegram's Bot API: `sendMessage` with plain text, in which nothing has to be escaped. */
export const telegramChannel: HttpChannel<Telegram> = {
  requests({ url, token, chat }, { events }, { origin }) {
    const lines = events.slice(0, mostLines).map(eventLine)
    if (events.length > mostLines) lines.push(`and ${events.length - mostLines} more`)
    const title = events.length === 1 ? [] : [noticeTitle(events), '']
    const text = shortened([...title, ...lines].join('\n'), mostChars)
    const body = { chat_id: chat, text: `${text}\n${origin}`, link_preview_options: { is_disabled: true } }
    return [
      {
        url: `${url.replace(/\/+$/, '')}/bot${token}/sendMessage`,
        headers: json,
        body: JSON.stringify(body),
      },
    ]
  },
  isTaken: (answer) => isSuccess(answer) && /"ok"\s*:\s*true/.test(answer.text),
}
