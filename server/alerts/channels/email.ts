import type { AddressedContent } from '../outbox/addressed-message.ts'
import { eventLine, noticeTitle } from '../alert-event.ts'
import type { Notice } from '../alert-event.ts'
import type { Writing } from './channel.ts'

/** A mail without its envelope. */
export interface Mail {
  readonly subject: string
  readonly text: string
  readonly html: string | undefined
  readonly messageId: string
  readonly headers: Readonly<Record<string, string>>
}

const mostLines = 200

/** Returns the mail of a notice. Every attempt has the same Message-ID, by which servers and readers know a repeated one. */
export function mailOfNotice({ id, events }: Notice, { origin }: Writing): Mail {
  const lines = events.slice(0, mostLines).map(eventLine)
  if (events.length > mostLines) lines.push(`and ${events.length - mostLines} more`)
  const text = `${lines.join('\n')}\n\n-- \nGatehouse, ${origin}\n`
  return {
    subject: noticeTitle(events),
    text,
    html: undefined,
    messageId: messageIdOf(id, origin),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Gatehouse-Delivery': id },
  }
}

/** Returns the mail of another domain's message. */
export function mailOfContent(
  id: string,
  { title, body, html, unsubscribe }: AddressedContent,
  { origin }: Writing,
): Mail {
  return {
    subject: title,
    text: body,
    html,
    messageId: messageIdOf(id, origin),
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Gatehouse-Delivery': id,
      ...(unsubscribe !== undefined && {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
}

const messageIdOf = (id: string, origin: string): string => `<${id}@${new URL(origin).hostname}>`
