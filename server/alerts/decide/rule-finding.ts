import type { Decision } from '../../../shared/health.ts'
import type { AlertEvent } from '../alert-event.ts'
import type { AlertableService, SlowFacts } from './watched.ts'

/** A subject for which a rule holds. */
export interface RuleFinding extends Pick<
  AlertEvent,
  'type' | 'severity' | 'summary' | 'subject' | 'since' | 'data'
> {
  /** Of services. */
  readonly decision: Decision | null
}

/** What rules look at. */
export interface RuleWorld {
  readonly now: number
  readonly services: ReadonlyMap<string, AlertableService>
  readonly facts: SlowFacts
}
