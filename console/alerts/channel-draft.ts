import * as z from 'zod/mini'

import { AlertChannelChange, NewAlertChannel } from '../../shared/alert-channels.ts'
import type { ChannelType, ChannelView } from '../../shared/alert-channels.ts'
import { issueErrors } from '../forms/field-errors.ts'
import type { FieldErrors, FormReading } from '../forms/field-errors.ts'
import { readerZone } from '../ui/reader-zone.ts'
import { dailySpanDraftOf, dailySpanOf } from './daily-span.ts'
import type { DailySpanDraft } from './daily-span.ts'

/** What there is to fill in, besides name and quiet hours. */
export const channelFieldNames = [
  'url',
  'secret',
  'token',
  'chat',
  'routingKey',
  'smtp',
  'from',
  'to',
  'user',
  'password',
] as const
export type ChannelField = (typeof channelFieldNames)[number]

/** A channel as it is typed, with the fields of every type: those of its own count. */
export interface ChannelDraft extends Record<Exclude<ChannelField, 'to'>, string> {
  name: string
  type: ChannelType
  to: readonly string[]
  isQuiet: boolean
  quietHours: DailySpanDraft
}

export interface ChannelFieldWords {
  readonly name: ChannelField
  readonly label: string
  readonly hint: string
  readonly placeholder: string
  /** Sealed, and never shown again. */
  readonly isSecret?: boolean
  /** What may be left out, also of a new channel. */
  readonly isOptional?: boolean
}

/** The fields of each type, in the order of the form. */
export const channelFields: Readonly<Record<ChannelType, readonly ChannelFieldWords[]>> = {
  slack: [
    {
      name: 'url',
      label: 'Address',
      hint: 'Of the incoming webhook.',
      placeholder: 'https://hooks.slack.com/services/…',
      isSecret: true,
    },
  ],
  email: [
    {
      name: 'smtp',
      label: 'Mail server',
      hint: 'With user and password, where it wants them: smtps:// with port 465, smtp:// with port 587.',
      placeholder: 'smtps://user:password@mail.example.com:465',
      isSecret: true,
    },
    {
      name: 'from',
      label: 'From',
      hint: 'An address that the mail server lets you send from.',
      placeholder: 'Gatehouse <gatehouse@example.com>',
    },
    { name: 'to', label: 'To', hint: 'Who gets the messages.', placeholder: 'ops@example.com' },
  ],
  telegram: [
    {
      name: 'token',
      label: 'Token of the bot',
      hint: 'From @BotFather.',
      placeholder: '123456:ABC-DEF…',
      isSecret: true,
    },
    {
      name: 'chat',
      label: 'Chat',
      hint: 'The id of the chat, or @ and the name of a channel.',
      placeholder: '-1001234567890',
    },
    {
      name: 'url',
      label: 'Address of the API',
      hint: 'Only for a Bot API server of your own.',
      placeholder: 'https://api.telegram.org',
      isSecret: true,
      isOptional: true,
    },
  ],
  pagerduty: [
    {
      name: 'routingKey',
      label: 'Integration key',
      hint: 'Of the integration “Events API v2”: 32 characters.',
      placeholder: '',
      isSecret: true,
    },
    {
      name: 'url',
      label: 'Address of the API',
      hint: 'For accounts in the EU: https://events.eu.pagerduty.com/v2/enqueue',
      placeholder: 'https://events.pagerduty.com/v2/enqueue',
      isSecret: true,
      isOptional: true,
    },
  ],
  webhook: [
    {
      name: 'url',
      label: 'Address',
      hint: 'Where the messages are posted.',
      placeholder: 'https://example.com/hook',
      isSecret: true,
    },
    {
      name: 'secret',
      label: 'Secret',
      hint: 'With which messages are signed. Left empty, one is made and shown once.',
      placeholder: 'whsec_…',
      isSecret: true,
      isOptional: true,
    },
  ],
  alertmanager: [
    {
      name: 'url',
      label: 'Address',
      hint: 'Without /api/v2/alerts.',
      placeholder: 'http://alertmanager.example.com:9093',
      isSecret: true,
    },
    { name: 'user', label: 'User', hint: 'Where it wants one.', placeholder: '', isOptional: true },
    {
      name: 'password',
      label: 'Password',
      hint: 'Where it wants one.',
      placeholder: '',
      isSecret: true,
      isOptional: true,
    },
  ],
}

export const alertChannelFields = ['name', ...channelFieldNames, 'quietHours'] as const

const usualQuietHours = () => ({ from: '22:00', to: '07:00', zone: readerZone() })

export const newChannelDraft = (type: ChannelType): ChannelDraft => ({
  name: '',
  type,
  url: '',
  secret: '',
  token: '',
  chat: '',
  routingKey: '',
  smtp: '',
  from: '',
  to: [],
  user: '',
  password: '',
  isQuiet: false,
  quietHours: dailySpanDraftOf(null, usualQuietHours()),
})

const textOf = (value: string | readonly string[] | undefined): string =>
  typeof value === 'string' ? value : ''

/** What is not secret stands in the form; what is empty there stays as it is. */
export const channelDraftOf = ({ name, type, settings, quietHours }: ChannelView): ChannelDraft => ({
  ...newChannelDraft(type),
  name,
  chat: textOf(settings['chat']),
  from: textOf(settings['from']),
  user: textOf(settings['user']),
  to: typeof settings['to'] === 'object' ? settings['to'] : [],
  isQuiet: quietHours !== null,
  quietHours: dailySpanDraftOf(quietHours, usualQuietHours()),
})

const isEmpty = (value: string | readonly string[]): boolean =>
  typeof value === 'string' ? value.trim() === '' : value.length === 0

/** Those fields of the form that are filled in, as the server takes them. */
function filledFields(draft: ChannelDraft) {
  const filled = channelFields[draft.type].filter(({ name }) => !isEmpty(draft[name]))
  return Object.fromEntries(
    filled.map(({ name }) => {
      const value = draft[name]
      return [name, typeof value === 'string' ? value.trim() : value]
    }),
  )
}

/**
 * What is wrong with what is typed so far: addresses redden as they are typed. What is still missing is told when it is
 * sent.
 */
export function channelProblems(draft: ChannelDraft): FieldErrors {
  const { type, name } = draft
  const read = z.safeParse(AlertChannelChange, { type, name: name.trim() || 'new', ...filledFields(draft) })
  return read.success ? {} : issueErrors(read.error.issues, alertChannelFields)
}

const missingWords: Readonly<Partial<Record<ChannelField, string>>> = {
  url: 'Enter the address.',
  token: 'Enter the token of the bot.',
  chat: 'Say which chat.',
  routingKey: 'Enter the integration key.',
  smtp: 'Enter the address of your mail server.',
  from: 'Say from which address.',
  to: 'Name at least one address.',
}

const missingFields = (draft: ChannelDraft, isNew: boolean): FieldErrors =>
  Object.fromEntries(
    channelFields[draft.type].flatMap(({ name, isOptional = false, isSecret = false }) =>
      isOptional || !isEmpty(draft[name]) || (isSecret && !isNew) ? [] : [[name, missingWords[name] ?? '']],
    ),
  )

export function readNewChannel(draft: ChannelDraft): FormReading<NewAlertChannel> {
  const errors = {
    ...(draft.name.trim() === '' && { name: 'Give it a name.' }),
    ...missingFields(draft, true),
    ...channelProblems(draft),
  }
  if (Object.keys(errors).length > 0) return { kind: 'wrong', errors }
  const read = z.safeParse(NewAlertChannel, {
    type: draft.type,
    name: draft.name,
    ...filledFields(draft),
    ...(draft.isQuiet && { quietHours: dailySpanOf(draft.quietHours) }),
  })
  if (read.success) return { kind: 'value', value: read.data }
  return { kind: 'wrong', errors: issueErrors(read.error.issues, alertChannelFields) }
}

/** What changes: empty fields stay as they are, secrets among them. */
export function readChannelChange(draft: ChannelDraft): FormReading<AlertChannelChange> {
  const errors = { ...missingFields(draft, false), ...channelProblems(draft) }
  if (Object.keys(errors).length > 0) return { kind: 'wrong', errors }
  const read = z.safeParse(AlertChannelChange, {
    type: draft.type,
    name: draft.name,
    ...filledFields(draft),
    quietHours: draft.isQuiet ? dailySpanOf(draft.quietHours) : null,
  })
  if (read.success) return { kind: 'value', value: read.data }
  return { kind: 'wrong', errors: issueErrors(read.error.issues, alertChannelFields) }
}
