import type { Decision } from '../../shared/health.ts'
import type { IncidentStage, SubscriberKind } from '../../shared/status-pages.ts'
import type { PeriodHistory } from '../health/health.ts'

/** How a service is now. `slow` is LATENCY of what reads no chain. */
export type ShownState = 'working' | 'behind' | 'slow' | 'down' | 'unknown' | 'maintenance'

/** The worst of a day; `none`: nobody watched. */
export type DayState = 'up' | 'late' | 'down' | 'unknown' | 'maintenance' | 'none'

/** A service as health knows it now. Of its chain, provider and address a page is told nothing. */
export interface LiveService {
  readonly name: string
  readonly isChainless: boolean
  readonly decision: Decision
  /** Epoch ms; null before the first evaluation. */
  readonly since: number | null
  /** Announced work that is under way, and until when (epoch ms, null: not known). */
  readonly maintenance: { readonly until: number | null } | null
}

/** Work that is announced for services elsewhere than on the page. */
export interface AnnouncedWork {
  readonly from: number
  readonly to: number | null
  readonly services: readonly string[]
}

export interface ShownService {
  readonly name: string
  readonly state: ShownState
  readonly since: number | null
  readonly responseMs: number | null
  /** The oldest first; the last one is today. */
  readonly days: readonly DayState[]
  readonly availability: number | null
  readonly watchedMs: number
}

export interface ShownIncident {
  readonly id: string
  readonly title: string
  readonly state: ShownState
  /** What the page calls the services that are concerned. */
  readonly services: readonly string[]
  readonly startsAt: number
  /** Null while it goes on; of planned work, when it should be over. */
  readonly endsAt: number | null
  readonly isOver: boolean
  /** The newest first; none for what nobody wrote about. */
  readonly updates: readonly { readonly at: number; readonly stage: IncidentStage; readonly text: string }[]
}

/** Everything that a page says, and nothing else: what is not in here cannot be shown. */
export interface PageModel {
  readonly page: string
  readonly title: string
  readonly logo: string | null
  readonly isPreview: boolean
  /** By which forms one can subscribe. */
  readonly subscriptions: readonly SubscriberKind[]
  /** When it was made, epoch ms. */
  readonly at: number
  readonly groups: readonly { readonly name: string; readonly services: readonly ShownService[] }[]
  readonly now: readonly ShownIncident[]
  readonly planned: readonly ShownIncident[]
  /** The newest first, of 90 days. */
  readonly past: readonly ShownIncident[]
}

/** A service of a page with all that is known of it. */
export interface NamedService {
  readonly id: string
  readonly name: string
  readonly live: LiveService | null
  /** Since when announced work on it is under way, epoch ms; null where none is. */
  readonly inWorkSince: number | null
  readonly history: PeriodHistory | null
}
