import * as z from 'zod/mini'

import { Objective, ServiceId } from './health.ts'
import { ChannelName } from './alert-channels.ts'
import { Instant } from './instants.ts'
import { idText, lines, matching, nameText, text } from './text.ts'

/** Bounds of public status pages. */
export const statusPageBounds = {
  /** Pages of one installation. */
  pages: 50,
  groups: 20,
  /** Services of one page: with more, it would be longer than 50 kB. */
  services: 40,
  nameChars: 80,
  hosts: 4,
  /** Characters of a logo as a `data:` address. */
  logoChars: 12_000,
  /** Services of one incident. */
  affected: 40,
  updateChars: 1_000,
  updates: 50,
  /** Incidents and announcements of one page that are not deleted. */
  incidents: 500,
  /** Confirmed subscribers of one page. */
  subscribers: 2_000,
  /** Messages of one page that ask for confirmation, in an hour. */
  confirmations: 100,
  /** Incidents and updates of one page that subscribers are told of, in a day. */
  announcements: 100,
} as const

/** The last part of the address `/status/<page>`. */
export const StatusPageName = matching(
  /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/,
  'expected 1 to 40 lower-case letters, digits and hyphens, without a hyphen at either end',
).check(z.meta({ examples: ['main'] }))

const ShownName = nameText(statusPageBounds.nameChars)

/** A service of a page, and what the page calls it; without `as`, what the service is called. */
const ShownService = z.strictObject({ id: ServiceId, as: z.optional(ShownName) })

const ServiceGroup = z.strictObject({
  name: ShownName,
  services: z.array(ShownService).check(z.minLength(1), z.maxLength(statusPageBounds.services)),
})

/** An image that is part of the page, because visitors load nothing from elsewhere. */
const Logo = matching(
  /^data:image\/(?:png|svg\+xml|webp|jpeg);base64,[A-Za-z0-9+/]+={0,2}$/,
  'expected an image as data:image/png;base64,… (or svg+xml, webp, jpeg)',
).check(z.maxLength(statusPageBounds.logoChars))

const HostName = matching(
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/,
  'expected a host name in lower case without scheme and port, such as status.example.com',
)

interface Grouped {
  readonly groups: readonly { readonly services: readonly { readonly id: string }[] }[]
}
const idsOf = ({ groups }: Grouped): string[] =>
  groups.flatMap(({ services }) => services.map(({ id }) => id))
const hasFewServices = (page: Grouped): boolean => idsOf(page).length <= statusPageBounds.services
const hasEachOnce = (page: Grouped): boolean => new Set(idsOf(page)).size === idsOf(page).length

/** A public page about chosen services, as the file or an operator describes it. */
export const StatusPageSpec = z
  .strictObject({
    page: StatusPageName,
    title: ShownName,
    published: z._default(z.boolean(), true), // false: nobody sees it, but those who have the preview's address
    listed: z._default(z.boolean(), true), // whether /status names it
    logo: z.optional(Logo),
    hosts: z._default(z.array(HostName).check(z.maxLength(statusPageBounds.hosts)), []), // where it is the first page
    emailChannel: z.optional(ChannelName), // of type email: visitors can subscribe, and mails go over it
    webhooks: z.optional(z.boolean()), // whether visitors can subscribe with the address of a program
    groups: z.array(ServiceGroup).check(z.minLength(1), z.maxLength(statusPageBounds.groups)),
  })
  .check(
    z.refine(hasFewServices, {
      path: ['groups'],
      error: `expected at most ${statusPageBounds.services} services on one page`,
    }),
    z.refine(hasEachOnce, { path: ['groups'], error: 'expected each service once' }),
  )
export type StatusPageSpec = z.infer<typeof StatusPageSpec>

const isOnce = (values: readonly string[]): boolean => new Set(values).size === values.length

/** Status pages of the installation's file. */
export const StatusSection = z.array(StatusPageSpec).check(
  z.maxLength(statusPageBounds.pages),
  z.refine((pages) => isOnce(pages.map(({ page }) => page)), 'expected no page twice'),
  z.refine((pages) => isOnce(pages.flatMap(({ hosts }) => hosts)), 'expected no host twice'),
)

/** Replaces the page of that name, or makes it. `isNew`: refuses when there is one. */
export const StatusPageSave = z.strictObject({ spec: StatusPageSpec, isNew: z._default(z.boolean(), false) })
export type StatusPageSave = z.infer<typeof StatusPageSave>

export const StatusPageByName = z.strictObject({ page: StatusPageName })

/** What subscribes to a page: a mailbox, or a program that takes webhooks. */
export const subscriberKinds = ['email', 'webhook'] as const
export const SubscriberKind = z.enum(subscriberKinds)
export type SubscriberKind = z.infer<typeof SubscriberKind>

/** A subscriber by its mailbox or URL. */
export const SubscriberByAddress = z.strictObject({ page: StatusPageName, address: text({ max: 2_048 }) })

/** How many subscribers of a page are confirmed, and how many have not confirmed yet. */
export interface SubscriberCounts {
  readonly page: string
  readonly email: number
  readonly webhook: number
  readonly waiting: number
}

/** A confirmed subscriber. The address is personal data. */
export interface ExportedSubscriber {
  readonly kind: SubscriberKind
  readonly address: string
  /** Epoch ms. */
  readonly confirmedAt: number
}

/** How far an incident has come; announced work has the last three. */
export const incidentStages = [
  'investigating',
  'identified',
  'monitoring',
  'resolved',
  'planned',
  'under_way',
  'completed',
] as const
export const IncidentStage = z.enum(incidentStages)
export type IncidentStage = z.infer<typeof IncidentStage>

export const stagesOf = {
  incident: ['investigating', 'identified', 'monitoring', 'resolved'],
  maintenance: ['planned', 'under_way', 'completed'],
} as const satisfies Record<string, readonly IncidentStage[]>

/** The stages after which nothing follows. */
export const lastStages: ReadonlySet<IncidentStage> = new Set<IncidentStage>(['resolved', 'completed'])

const UpdateText = lines({ max: statusPageBounds.updateChars })

const hasItsStage = ({ kind, stage }: { kind: keyof typeof stagesOf; stage: IncidentStage }): boolean =>
  (stagesOf[kind] as readonly IncidentStage[]).includes(stage)

/** The first instant of 2000: what is before it was meant as seconds. */
const firstIncidentAt = 946_684_800_000
const IncidentInstant = Instant.check(
  z.refine(
    (at) => at >= firstIncidentAt,
    'expected an instant of 2000 or later, as RFC 3339 or epoch milliseconds',
  ),
)

/** What an operator tells the visitors of a page: an incident, or work that is planned. */
export const IncidentStart = z
  .strictObject({
    page: StatusPageName,
    kind: z.enum(['incident', 'maintenance']),
    title: nameText(120),
    /** Services of the page that are concerned. */
    services: z._default(z.array(ServiceId).check(z.maxLength(statusPageBounds.affected)), []),
    /** When it began or will begin; now unless given, which work that is only planned needs. */
    startsAt: z.optional(IncidentInstant),
    /** When planned work should be over. */
    endsAt: z.optional(IncidentInstant),
    stage: IncidentStage,
    text: UpdateText,
    /** Whether subscribers are told; they are unless this is false. */
    notify: z.optional(z.boolean()),
  })
  .check(
    z.refine(hasItsStage, { path: ['stage'], error: 'expected a stage of this kind' }),
    z.refine(({ startsAt, endsAt }) => endsAt === undefined || endsAt > (startsAt ?? 0), {
      path: ['endsAt'],
      error: 'expected an instant after the beginning',
    }),
    z.refine(({ stage, startsAt }) => stage !== 'planned' || startsAt !== undefined, {
      path: ['startsAt'],
      error: 'required for work that is planned',
    }),
    z.refine(({ kind, endsAt }) => kind === 'maintenance' || endsAt === undefined, {
      path: ['endsAt'],
      error: 'expected for planned work only: an incident ends when it is resolved',
    }),
  )
export type IncidentStart = z.infer<typeof IncidentStart>

export const IncidentUpdate = z.strictObject({
  id: idText(60),
  stage: IncidentStage,
  text: UpdateText,
  notify: z.optional(z.boolean()),
})
export type IncidentUpdate = z.infer<typeof IncidentUpdate>

export const IncidentById = z.strictObject({ id: idText(60) })

/** An incident or announcement as operators see it. Instants are epoch ms. */
export interface StatusIncident {
  readonly id: string
  readonly page: string
  readonly kind: 'incident' | 'maintenance'
  readonly title: string
  readonly services: readonly string[]
  readonly startsAt: number
  /** Of planned work: when it should be over. Of both: when it was, once `isOver`. */
  readonly endsAt: number | null
  readonly isOver: boolean
  /** The oldest first; at least one. */
  readonly updates: readonly { readonly at: number; readonly stage: IncidentStage; readonly text: string }[]
}

/** A page as operators see it. */
export interface StatusPageView {
  readonly spec: StatusPageSpec
  readonly managedBy: 'file' | 'operator'
  readonly url: string
  /** Where a page that is not published can be seen; null for one that is. */
  readonly previewUrl: string | null
  /** Epoch ms; null where it is not stored. */
  readonly updatedAt: number | null
}

/** A month of UTC. */
export const ReportMonth = matching(/^20\d\d-(?:0[1-9]|1[0-2])$/, 'expected a month such as 2026-10')

export const ReportQuery = z.strictObject({
  month: ReportMonth,
  /** Of all of them; that of each service when left out. */
  objective: z.optional(Objective),
  /** Of all services when left out. */
  service: z.optional(ServiceId),
})

/** A service in one month. Times in ms; what is not over counts until now. */
export interface ReportRow {
  readonly serviceId: string
  readonly name: string
  readonly provider: string
  /** In percent. */
  readonly objective: number
  /** Between 0 and 1; null where no time counts. */
  readonly availability: number | null
  /** The time that counts: in which it was watched and something was known, without announced work. */
  readonly countedMs: number
  readonly downMs: number
  readonly latencyMs: number
  readonly unknownMs: number
  readonly notWatchedMs: number
  readonly maintenanceMs: number
  /** For how long it may be DOWN in the time that counts. */
  readonly budgetMs: number
  readonly incidents: number
  readonly longestMs: number
}

export interface ServiceReport {
  readonly month: string
  /** Epoch ms. */
  readonly from: number
  readonly to: number
  readonly rows: readonly ReportRow[]
}
