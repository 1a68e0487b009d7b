/**
 * Public status pages: what visitors without an account are told of services that an operator chose, under names that the
 * operator chose. `/status/{page}` as HTML that needs no script, `.json` and `.atom`; `/status` lists the pages that may be
 * listed, and nothing is there until a page is published.
 *
 * 1. `active-pages.ts` has the pages of operators (`store.ts`) and of the installation's file in memory, with the incidents
 *    and planned work that operators wrote. The change log of the keys tells of changes by other processes.
 * 2. `publisher.ts` looks every two seconds whether something on a page changed, reads 90 days of history once a minute, and
 *    keeps every form of every page ready in memory, also compressed.
 * 3. `page-model.ts` (pure, with `page-incidents.ts`) puts together what a page says. It is given the name, decision and announced work of each chosen
 *    service and nothing else, so that no address, provider, chain, reason or id of one can be shown: what verifiers saw is
 *    told in words of our own, and ids of it are made of the names that are shown.
 * 4. `render-page.ts` writes it as HTML (`render-bar.ts`, `page-words.ts`, `page-style.ts`), `render-feeds.ts` as JSON and Atom.
 * 5. `routes.ts` answers with the bytes from memory before the router, with an ETag; under the own host of a page it answers
 *    that page and nothing else (`platform/http/guest-hosts.ts`).
 * 6. `subscribers/subscribers.ts` has the mailboxes and webhooks of visitors who want to be told, and tells them.
 * `changes.ts` are the changes of operators, each with its audit entry; `procedures.ts` is the console's; `report.ts` says
 * how each service kept its objective in a month.
 *
 * Decisions. Why a service is DOWN is for operators; visitors read what an operator wrote. An incident that somebody wrote
 * stands in place of what was seen of its services at that time. Announced work of a service counts, its note does not show.
 * A page that is not published can be seen at an address that ends with a random part and changes with each save.
 *
 * Failure: without the database pages go on with the history that was read last and the decisions of now. A service that is
 * removed stays on a page as unknown until an operator takes it out.
 *
 * Known limitations: at most 40 services on a page and 50 pages. Where a page would be longer than 50 kB it tells less: of older
 * incidents and updates first, then its bars have a stroke for several days, and last it has no logo. Of a service that changed more than 5,000 times in 90 days the oldest
 * changes are not counted.
 */
import { dayMs } from '../../shared/durations.ts'
import type { StatusIncident, StatusPageSpec, StatusPageView } from '../../shared/status-pages.ts'
import type { KeyReplicas } from '../keys/key-replicas.ts'
import type { Database } from '../platform/database.ts'
import type { Outbox } from '../alerts/alerts.ts'
import type { EgressErrorCode } from '../platform/egress.ts'
import type { Log } from '../platform/log.ts'
import type { Vault } from '../platform/vault.ts'
import { type ActivePage, createActivePages } from './active-pages.ts'
import { createStatusPageChanges } from './changes.ts'
import { shownDays } from './page-model.ts'
import { type PublisherOptions, createPublisher } from './publisher.ts'
import { type ReportRequest, type ReportSources, serviceReport } from './report.ts'
import type { AnnouncedWork, LiveService } from './shown-page.ts'
import { createStatusPageStore } from './store.ts'
import { createSubscribers } from './subscribers/subscribers.ts'

export type { LiveService } from './shown-page.ts'

export interface StatusPagesOptions {
  readonly database: Database
  readonly replicas: KeyReplicas
  readonly log: Log
  readonly now: () => number
  readonly vault: Vault
  readonly outbox: Outbox
  /** With which the addresses of subscribers are hashed; the same in every process. */
  readonly hashKey: Buffer
  readonly world: {
    /** Why nothing may be sent to a URL that a stranger chose; null where it may. */
    readonly refusalOf: (url: string) => Promise<EgressErrorCode | null>
    /** The pages of the installation's file as it is now. */
    readonly ofFile: () => readonly StatusPageSpec[]
    /** Null for a service that is not registered. */
    readonly live: (serviceId: string) => LiveService | null
    readonly work: () => readonly AnnouncedWork[]
    readonly periods: PublisherOptions['periods']
    readonly services: ReportSources['services']
    /** `scheme://host[:port]` of this installation. */
    readonly origin: () => string
  }
}

export type StatusPages = ReturnType<typeof createStatusPages>

export function createStatusPages(options: StatusPagesOptions) {
  const { database, replicas, log, now, outbox } = options
  const { ofFile, live, work, periods, services, origin, refusalOf } = options.world
  const store = createStatusPageStore(database)
  const since = (): number => now() - (shownDays + 1) * dayMs
  const active = createActivePages(store, since, ofFile)
  replicas.keySync.follow({ kind: 'status_page', reload: active.reload, refresh: active.reload })
  const subscribers = createSubscribers({
    ...options,
    origin,
    pages: () => active.all().map(({ spec }) => spec),
    nameOf: (spec, id) => shownNameOf(spec, id) ?? live(id)?.name ?? null,
  })
  const publisher = createPublisher({
    now,
    log,
    pages: active.all,
    incidents: active.incidents,
    live,
    work,
    periods,
    offered: subscribers.offered,
  })
  const changes = createStatusPageChanges({
    replicas,
    store,
    now,
    since,
    ofFile,
    hasService: (id) => live(id) !== null,
    hasMailChannel: outbox.hasMailChannel,
    subscribers,
  })

  const viewOf = ({ spec, managedBy, previewKey, updatedAt }: ActivePage): StatusPageView => ({
    spec,
    managedBy,
    url: `${origin()}/status/${spec.page}`,
    previewUrl:
      spec.published || previewKey === null ? null : `${origin()}/status/${spec.page}~${previewKey}`,
    updatedAt,
  })

  return {
    ...changes,
    file: publisher.file,
    pageOfHost: publisher.pageOfHost,
    /** What people who subscribe ask for. */
    subscribers,
    refusalOf,
    ...subscribers.operators,
    /** Has what an operator just changed on the pages of this process. */
    refresh: publisher.refresh,

    list: (): StatusPageView[] => active.all().map(viewOf),
    /** Lists what was told on all pages, the newest first: what goes on, and what ended in the last 90 days. */
    incidents: (): readonly StatusIncident[] => active.incidents(),

    /** Fault: `unavailable` while the database is away. */
    report: (asked: ReportRequest) => serviceReport({ services, periods, now }, asked),

    /** Throws when the database is away. */
    async start(): Promise<void> {
      await replicas.keySync.sync()
      await publisher.refresh()
      publisher.start()
      subscribers.start()
    },
    async stop(): Promise<void> {
      await publisher.stop()
      await subscribers.stop()
    },
  }
}

const shownNameOf = ({ groups }: StatusPageSpec, id: string): string | undefined =>
  groups.flatMap(({ services }) => services).find((service) => service.id === id)?.as
