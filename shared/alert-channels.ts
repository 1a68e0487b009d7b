import * as z from 'zod/mini'

import { DailySpan } from './alert-times.ts'
import { email, matching, matchingTrimmed, nameText, text, webAddress } from './text.ts'

/** Where messages go. The name is the channel's id: rules refer to it, and it stays. */
export const ChannelName = nameText(100)

const HttpAddress = webAddress(/^https?$/, 'an http or https address')

/** By the Standard Webhooks specification: `whsec_` and 24 to 64 bytes in Base64. */
export const WebhookSecret = matching(
  /^whsec_(?=.{32,88}$)(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  'expected whsec_ and 24 to 64 bytes in Base64',
)

/** In these hours messages wait, and go out together at their end. */
const common = { name: ChannelName, quietHours: z.optional(DailySpan) }

const Webhook = z.strictObject({
  ...common,
  type: z.literal('webhook'),
  url: HttpAddress,
  secret: WebhookSecret,
})

/** Slack, and what takes its messages: Mattermost, and Discord at the address that ends in `/slack`. */
const Slack = z.strictObject({ ...common, type: z.literal('slack'), url: HttpAddress })

const Telegram = z.strictObject({
  ...common,
  type: z.literal('telegram'),
  token: matching(/^\d{1,20}:[A-Za-z0-9_-]{20,100}$/, "expected a bot's token such as 123456:ABC-DEF…"),
  chat: matching(/^(?:-?\d{1,20}|@[A-Za-z]\w{3,63})$/, 'expected the id of a chat, or @ and its name'),
  url: z._default(HttpAddress, 'https://api.telegram.org'),
})

const PagerDuty = z.strictObject({
  ...common,
  type: z.literal('pagerduty'),
  routingKey: matching(
    /^[A-Za-z0-9]{32}$/,
    'expected the 32 characters of an integration key of Events API v2',
  ),
  url: z._default(HttpAddress, 'https://events.pagerduty.com/v2/enqueue'),
})

/** A mailbox, with or without a name before it: `Gatehouse <gatehouse@example.com>`. */
const Sender = matchingTrimmed(
  /^(?:[^<>@\r\n"]{1,100}<[^\s<>@]{1,64}@[^\s<>@]{1,190}>|[^\s<>@]{1,64}@[^\s<>@]{1,190})$/,
  'expected an e-mail address, or a name and <address>',
  300,
)

const Email = z.strictObject({
  ...common,
  type: z.literal('email'),
  smtp: webAddress(/^smtps?$/, 'expected an address such as smtps://user:password@mail.example.com:465'),
  from: Sender,
  to: z._default(z.array(email()).check(z.maxLength(50)), []), // may be empty where only others send with it
})

const Alertmanager = z.strictObject({
  ...common,
  type: z.literal('alertmanager'),
  url: HttpAddress, // without /api/v2/alerts
  user: z.optional(text({ max: 200 })),
  password: z.optional(text({ max: 500 })),
})

/** A channel with its secrets, as the file and whoever creates it give it. */
export const AlertChannel = z.discriminatedUnion('type', [
  Webhook,
  Slack,
  Telegram,
  PagerDuty,
  Email,
  Alertmanager,
])
export type AlertChannel = z.infer<typeof AlertChannel>
export type ChannelType = AlertChannel['type']

/** A new channel: a webhook without a secret gets one, which is shown once. */
export const NewAlertChannel = z.discriminatedUnion('type', [
  z.strictObject({ ...Webhook.shape, secret: z.optional(WebhookSecret) }),
  Slack,
  Telegram,
  PagerDuty,
  Email,
  Alertmanager,
])
export type NewAlertChannel = z.infer<typeof NewAlertChannel>

const quietHours = z.optional(z.nullable(DailySpan)) // null: none any more

const WebhookChange = z.strictObject({
  ...z.partial(Webhook, { url: true, secret: true }).shape,
  quietHours,
})
const SlackChange = z.strictObject({ ...z.partial(Slack, { url: true }).shape, quietHours })
const TelegramChange = z.strictObject({
  ...z.partial(Telegram, { token: true, chat: true }).shape,
  url: z.optional(HttpAddress),
  quietHours,
})
const PagerDutyChange = z.strictObject({
  ...z.partial(PagerDuty, { routingKey: true }).shape,
  url: z.optional(HttpAddress),
  quietHours,
})
const EmailChange = z.strictObject({
  ...z.partial(Email, { smtp: true, from: true }).shape,
  to: z.optional(z.array(email()).check(z.maxLength(50))),
  quietHours,
})
const AlertmanagerChange = z.strictObject({ ...z.partial(Alertmanager, { url: true }).shape, quietHours })

/** Changes of a channel. What is left out stays, secrets among it; its name and its type stay always. */
export const AlertChannelChange = z.discriminatedUnion('type', [
  WebhookChange,
  SlackChange,
  TelegramChange,
  PagerDutyChange,
  EmailChange,
  AlertmanagerChange,
])
export type AlertChannelChange = z.infer<typeof AlertChannelChange>

/** The same where the address of a request names the channel. */
export const AlertChannelPatch = z.discriminatedUnion('type', [
  z.omit(WebhookChange, { name: true }),
  z.omit(SlackChange, { name: true }),
  z.omit(TelegramChange, { name: true }),
  z.omit(PagerDutyChange, { name: true }),
  z.omit(EmailChange, { name: true }),
  z.omit(AlertmanagerChange, { name: true }),
])

/** A channel without anything secret. */
export interface ChannelView {
  readonly name: string
  readonly type: ChannelType
  readonly managedBy: 'file' | 'operator'
  /** Where it goes, for people: scheme and host, a chat, or addresses. Never a path, a token or a password. */
  readonly target: string
  readonly quietHours: DailySpan | null
  /** What is not secret and can be edited: `chat`, `from`, `to`, `user`. */
  readonly settings: Readonly<Record<string, string | readonly string[]>>
  /** How many messages it took in the last 30 days, how many wait, and how many were given up. */
  readonly sent: number
  readonly waiting: number
  readonly dead: number
  /** Epoch ms of the last message that was taken; null where none was. */
  readonly lastSentAt: number | null
}

/** A channel that was created. The secret is shown once, where it was made here. */
export interface CreatedChannel {
  readonly name: string
  readonly secret: string | null
}

export const ChannelByName = z.strictObject({ name: ChannelName })

/** What became of a message that tried a channel out, with what the other side said. */
export interface ChannelTestResult {
  readonly ok: boolean
  /** The status and the beginning of the real answer, such as `200 ok`, or why there was none. */
  readonly answer: string
  readonly tookMs: number
}
