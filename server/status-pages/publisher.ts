import { createHash } from 'node:crypto'

import type { StatusIncident, StatusPageSpec, SubscriberKind } from '../../shared/status-pages.ts'
import { minuteMs } from '../../shared/durations.ts'
import type { PeriodHistory } from '../health/health.ts'
import type { Log } from '../platform/log.ts'
import { createPeriodicJob } from '../platform/periodic-job.ts'
import { nextTurn } from '../platform/turns.ts'
import type { ActivePage } from './active-pages.ts'
import { daySpans, pageModel } from './page-model.ts'
import { renderAtom, renderJson } from './render-feeds.ts'
import { renderIndex, renderPage } from './render-page.ts'
import type { AnnouncedWork, LiveService, PageModel } from './shown-page.ts'

/** One form of a page, as it is sent. */
export interface PublishedFile {
  readonly kind: 'html' | 'json' | 'atom'
  readonly isPreview: boolean
  readonly etag: string
  readonly plain: Uint8Array<ArrayBuffer>
  readonly gzipped: Uint8Array<ArrayBuffer>
}

export interface PublisherOptions {
  readonly now: () => number
  readonly log: Log
  readonly pages: () => readonly ActivePage[]
  readonly incidents: () => readonly StatusIncident[]
  readonly live: (serviceId: string) => LiveService | null
  readonly work: () => readonly AnnouncedWork[]
  /** The ways by which one can subscribe to a page now. */
  readonly offered: (spec: StatusPageSpec) => readonly SubscriberKind[]
  readonly periods: (
    serviceIds: readonly string[],
    spans: readonly { readonly from: number; readonly to: number }[],
  ) => Promise<PeriodHistory[]>
}

const idsOf = ({ spec }: ActivePage): string[] =>
  spec.groups.flatMap(({ services }) => services.map(({ id }) => id))

/** How soon a changed decision is on a page. */
const lookEveryMs = 2_000

/** Keeps every page ready in memory: made again when something on it changes, and once a minute. */
export function createPublisher(options: PublisherOptions) {
  const { now, log, pages, incidents, live, work, periods, offered } = options
  let files: ReadonlyMap<string, PublishedFile> = new Map()
  let hosts: ReadonlyMap<string, string> = new Map()
  let history = new Map<string, PeriodHistory>()
  let readIn = 0
  let isFailing = false
  /** What was on the pages at the last look, by which a change is noticed. */
  let seen = ''

  async function readHistory(all: readonly ActivePage[], at: number): Promise<void> {
    const ids = [...new Set(all.flatMap(idsOf))]
    try {
      history = new Map((await periods(ids, daySpans(at))).map((one) => [one.id, one]))
      isFailing = false
    } catch (error) {
      // What was read last stays on the pages, with the decisions of now.
      if (!isFailing) log.warn('status pages show an older history: it could not be read', { error })
      isFailing = true
    }
  }

  async function publish(all: readonly ActivePage[], at: number): Promise<void> {
    const next = new Map<string, PublishedFile>()
    const listed: PageModel[] = []
    for (const { spec, previewKey } of all) {
      const isPreview = !spec.published
      if (isPreview && previewKey === null) continue
      const model = pageModel({
        spec,
        isPreview,
        now: at,
        incidents: incidents(),
        work: work(),
        subscriptions: isPreview ? [] : offered(spec),
        live,
        history: (id) => history.get(id) ?? null,
      })
      const name = isPreview ? `${spec.page}~${previewKey}` : spec.page
      next.set(name, fileOf('html', renderPage(model), isPreview))
      if (!isPreview) {
        next.set(`${name}.json`, fileOf('json', renderJson(model), false))
        next.set(`${name}.atom`, fileOf('atom', renderAtom(model), false))
        if (spec.listed) listed.push(model)
      }
      await nextTurn()
    }
    if (listed.length > 0) next.set('', fileOf('html', renderIndex(listed), false))
    files = next
    hosts = new Map(
      all.flatMap(({ spec }) => (spec.published ? spec.hosts.map((host) => [host, spec.page] as const) : [])),
    )
  }

  async function look(): Promise<void> {
    const at = now()
    const all = pages()
    const minute = Math.floor(at / minuteMs)
    const offers = all.map(({ spec }) => offered(spec))
    const shown = JSON.stringify([all, incidents(), work(), all.flatMap(idsOf).map(live), offers])
    if (shown === seen && minute === readIn) return
    if (all.length > 0) await readHistory(all, at)
    await publish(all, at)
    seen = shown
    readIn = minute
  }

  const job = createPeriodicJob(lookEveryMs, look, (error) =>
    log.error('a status page could not be made', { error }),
  )

  return {
    /** Returns a file by what stands behind `/status/`; an empty name is the list of pages. */
    file: (name: string): PublishedFile | null => files.get(name) ?? null,
    /** Returns the page that a host leads to. */
    pageOfHost: (host: string): string | null => hosts.get(host) ?? null,
    /** Looks again now, after the look that is under way. */
    async refresh(): Promise<void> {
      await job.run()
      await job.run()
    },
    start: job.start,
    stop: job.stop,
  }
}

function fileOf(kind: PublishedFile['kind'], text: string, isPreview: boolean): PublishedFile {
  const plain = Buffer.from(text)
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { kind, isPreview, etag, plain: new Uint8Array(plain), gzipped: Bun.gzipSync(new Uint8Array(plain)) }
}
