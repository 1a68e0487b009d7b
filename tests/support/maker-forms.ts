import * as z from 'zod/mini'

export interface ReceiverAnswer {
  readonly status: number
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * What the makers publish of the messages that their servers take, and what these answer. A field that is not in their
 * documents is refused here, even where they would ignore it.
 */
const text = (max: number) => z.string().check(z.minLength(1), z.maxLength(max))
const instant = z.iso.datetime()

/** Slack: reference of message payloads and of legacy attachments. */
const Slack = z.strictObject({
  text: text(40_000),
  attachments: z.array(
    z.strictObject({
      color: z.string().check(z.regex(/^#[0-9a-f]{6}$/)),
      fallback: text(3_000),
      text: text(3_000),
      footer: text(300),
    }),
  ),
})

/** Telegram: Bot API, `sendMessage`. */
const Telegram = z.strictObject({
  chat_id: z.union([z.string().check(z.regex(/^(?:-?\d+|@\w+)$/)), z.int()]),
  text: text(4_096),
  link_preview_options: z.optional(z.strictObject({ is_disabled: z.boolean() })),
})

const onEvery = {
  routing_key: z.string().check(z.regex(/^[A-Za-z0-9]{32}$/)),
  dedup_key: text(255),
  client: z.optional(z.string()),
  client_url: z.optional(z.url()),
}
/** PagerDuty: Events API v2. */
const PagerDuty = z.discriminatedUnion('event_action', [
  z.strictObject({
    ...onEvery,
    event_action: z.literal('trigger'),
    payload: z.strictObject({
      summary: text(1_024),
      source: z.string().check(z.minLength(1)),
      severity: z.enum(['critical', 'error', 'warning', 'info']),
      timestamp: instant,
      component: z.optional(z.string()),
      group: z.optional(z.string()),
      class: z.optional(z.string()),
      custom_details: z.optional(z.record(z.string(), z.unknown())),
    }),
  }),
  z.strictObject({ ...onEvery, event_action: z.enum(['acknowledge', 'resolve']) }),
])

const LabelSet = z.record(z.string().check(z.regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/)), z.string())
/** Alertmanager: `api/v2/openapi.yaml`, `postableAlerts`; it refuses an end before the beginning. */
const Alertmanager = z.array(
  z
    .strictObject({
      labels: LabelSet,
      annotations: z.optional(LabelSet),
      startsAt: z.optional(instant),
      endsAt: z.optional(instant),
      generatorURL: z.optional(z.url()),
    })
    .check(z.refine(({ startsAt = '', endsAt = '' }) => Date.parse(startsAt) <= Date.parse(endsAt))),
)

interface Maker {
  readonly path: RegExp
  readonly form: z.ZodMiniType
  readonly taken: ReceiverAnswer
  readonly refused: ReceiverAnswer
}

const makers: readonly Maker[] = [
  {
    path: /^\/slack$/,
    form: Slack,
    taken: { status: 200, text: 'ok' },
    refused: { status: 400, text: 'invalid_payload' },
  },
  {
    path: /^\/bot[^/]+\/sendMessage$/,
    form: Telegram,
    taken: { status: 200, text: '{"ok":true,"result":{}}' },
    refused: { status: 400, text: '{"ok":false,"error_code":400,"description":"Bad Request"}' },
  },
  {
    path: /^\/pagerduty$/,
    form: PagerDuty,
    taken: { status: 202, text: '{"status":"success","message":"Event processed"}' },
    refused: { status: 400, text: '{"status":"invalid event","message":"Event object is invalid"}' },
  },
  {
    path: /^\/api\/v2\/alerts$/,
    form: Alertmanager,
    taken: { status: 200 },
    refused: { status: 400, text: '"bad request"' },
  },
]

/** Returns what the maker's server answers to a message; null for a path that is nobody's. */
export function makersAnswer(path: string, body: string): ReceiverAnswer | null {
  const maker = makers.find((one) => one.path.test(path))
  if (maker === undefined) return null
  return maker.form.safeParse(JSON.parse(body)).success ? maker.taken : maker.refused
}
