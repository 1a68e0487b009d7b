import type { AlertChannel } from '../../../shared/alert-channels.ts'
import { eventLine, lastOfEach, noticeTitle, worstOf } from '../alert-event.ts'
import { type HttpChannel, isSuccess, json, shortened } from './channel.ts'

type Slack = Extract<AlertChannel, { type: 'slack' }>

/** As many lines as a person reads; the rest is counted. */
const mostLines = 20
/** Slack cuts attachments that are longer. */
const mostChars = 3_000

const colours = { critical: '#d92d20', error: '#d92d20', warning: '#dc8a00', info: '#2563eb' } as const
const resolvedColour = '#15803d'

/** Slack's incoming webhooks, in the form that Mattermost and Discord (`/slack`) take too: a text and an attachment. */
export const slackChannel: HttpChannel<Slack> = {
  requests({ url }, { events }, { origin }) {
    const title = noticeTitle(events)
    const lines = events.slice(0, mostLines).map((event) => escaped(eventLine(event)))
    if (events.length > mostLines) lines.push(`and ${events.length - mostLines} more`)
    const firing = lastOfEach(events).filter(({ status }) => status === 'firing')
    const body = {
      text: escaped(shortened(title, 300)),
      attachments: [
        {
          color: firing.length === 0 ? resolvedColour : colours[worstOf(firing)],
          fallback: escaped(shortened(title, 300)),
          text: shortened(lines.join('\n'), mostChars),
          footer: `Gatehouse · ${origin}`,
        },
      ],
    }
    return [{ url, headers: json, body: JSON.stringify(body) }]
  },
  /** Slack answers `ok`; `invalid_payload` and the like come with 200 from some of those that speak its language. */
  isTaken: (answer) =>
    isSuccess(answer) &&
    !/^(?:invalid_|no_|channel_|action_|posting_|team_|user_|token_|too_many_|message_|missing_)\w+$/.test(
      answer.text.trim(),
    ) &&
    !saysNotOk(answer.text),
}

/**
 * Names are of others: without this they could mention everybody or hide a link behind a word. Slack writes both in angle
 * brackets. Mattermost and Discord read `@everyone` and `[word](link)` too, which have no escape that Slack knows: a space
 * without a width takes them apart.
 */
const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/@(?=(?:all|channel|everyone|here)\b)|\](?=\()/gi, '$&\u200b')

const saysNotOk = (text: string): boolean => /"ok"\s*:\s*false/.test(text)
