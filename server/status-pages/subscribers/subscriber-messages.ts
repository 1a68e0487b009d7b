import { rfc3339 } from '../../../shared/instants.ts'
import type { StatusIncident, SubscriberKind } from '../../../shared/status-pages.ts'
import { confirmableMs } from './subscriber-rules.ts'
import { stageWords, utcDayText, timeText } from '../page-words.ts'

/** What messages say of a page. */
export interface SubscribedPage {
  readonly page: string
  readonly title: string
  /** Where its addresses begin: `https://status.example.com`. */
  readonly base: string
}

/** An incident or planned work as subscribers are told of it: services by the names that the page shows. */
export interface Announcement extends Pick<
  StatusIncident,
  'id' | 'kind' | 'title' | 'services' | 'startsAt' | 'endsAt' | 'isOver'
> {
  /** What was written now. */
  readonly update: StatusIncident['updates'][number]
  /** Whether it is the first that is told of it. */
  readonly isFirst: boolean
}

export interface SubscriberMessage {
  readonly title: string
  readonly body: string
  readonly unsubscribe?: string
}

export const pageUrl = ({ base, page }: SubscribedPage): string => `${base}/status/${page}`
export const confirmUrl = (page: SubscribedPage, token: string): string => `${pageUrl(page)}/confirm/${token}`
export const unsubscribeUrl = (page: SubscribedPage, token: string): string =>
  `${pageUrl(page)}/unsubscribe/${token}`

/** Returns what asks for confirmation: a mail with a link, or an event with it for the owner of a webhook. */
export function confirmMessage(
  kind: SubscriberKind,
  page: SubscribedPage,
  token: string,
  now: number,
): SubscriberMessage {
  const title = `Confirm your subscription to ${page.title}`
  const url = confirmUrl(page, token)
  if (kind === 'webhook')
    return {
      title,
      body: eventOf('status.subscription_confirm', now, page, {
        confirmUrl: url,
        endsAt: rfc3339(now + confirmableMs),
      }),
    }
  return {
    title,
    body: `Somebody, probably you, asked for mails about incidents and planned work of ${page.title}.

To get them, open this page within 24 hours and press its button:
${url}

If it was not you, do nothing: nothing more comes.
`,
  }
}

/** Returns what tells a subscriber who asks again that nothing is to be done. */
export function knownMessage(
  kind: SubscriberKind,
  page: SubscribedPage,
  leave: string,
  now: number,
): SubscriberMessage {
  const title = `You are subscribed to ${page.title}`
  const unsubscribe = unsubscribeUrl(page, leave)
  if (kind === 'webhook')
    return {
      title,
      body: eventOf('status.subscription_exists', now, page, { unsubscribeUrl: unsubscribe }),
    }
  return {
    title,
    body: `Somebody, probably you, asked for mails about incidents and planned work of ${page.title}. You get them already.
${footOf(page, unsubscribe)}`,
    unsubscribe,
  }
}

/** Returns what tells a subscriber of an incident, an update or planned work. The same at each attempt. */
export function announcementMessage(
  kind: SubscriberKind,
  page: SubscribedPage,
  told: Announcement,
  leave: string,
): SubscriberMessage {
  const { title, services, update, startsAt, endsAt } = told
  const unsubscribe = unsubscribeUrl(page, leave)
  const subject = `[${page.title}] ${stageWords[update.stage]}: ${title}`
  if (kind === 'webhook')
    return { title: subject, body: eventOf(typeOf(told), update.at, page, dataOf(told, unsubscribe)) }
  const times =
    told.kind === 'maintenance' && !told.isOver
      ? `From ${momentOf(startsAt)}${endsAt === null ? '' : ` to ${momentOf(endsAt)}`}\n`
      : ''
  const affected = services.length === 0 ? '' : `Services: ${services.join(', ')}\n`
  return {
    title: subject,
    body: `${title}
${stageWords[update.stage]}, ${momentOf(update.at)}
${times}${affected}
${update.text}
${footOf(page, unsubscribe)}`,
    unsubscribe,
  }
}

const footOf = (page: SubscribedPage, unsubscribe: string): string => `
-- 
${page.title}: ${pageUrl(page)}
Unsubscribe: ${unsubscribe}
`

const momentOf = (at: number): string =>
  `${utcDayText(at)} ${new Date(at).getUTCFullYear()}, ${timeText(at)} UTC`

const typeOf = ({ kind, isFirst, isOver }: Announcement): string => {
  if (kind === 'maintenance')
    return `status.maintenance_${isOver ? 'completed' : isFirst ? 'planned' : 'updated'}`
  return `status.incident_${isOver ? 'resolved' : isFirst ? 'opened' : 'updated'}`
}

const eventOf = (type: string, at: number, page: SubscribedPage, data: object): string =>
  JSON.stringify({
    type,
    timestamp: rfc3339(at),
    data: { page: page.page, title: page.title, url: pageUrl(page), ...data },
  })

const dataOf = (told: Announcement, unsubscribe: string) => ({
  incident: {
    id: told.id,
    kind: told.kind,
    title: told.title,
    stage: told.update.stage,
    services: told.services,
    startsAt: rfc3339(told.startsAt),
    endsAt: told.endsAt === null ? null : rfc3339(told.endsAt),
    isOver: told.isOver,
  },
  update: { at: rfc3339(told.update.at), stage: told.update.stage, text: told.update.text },
  unsubscribeUrl: unsubscribe,
})
