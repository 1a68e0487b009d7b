import type { AlertView } from '../../shared/alerts.ts'
import type { ServiceHistory } from '../../shared/health-details.ts'

type Incident = Pick<ServiceHistory['incidents'][number], 'openedAt' | 'closedAt'>

/** Returns the alerts of a service that began to fire in one of its incidents, the first one first. */
export const alertsIn = (
  { openedAt, closedAt }: Incident,
  serviceId: string,
  alerts: readonly AlertView[],
): AlertView[] =>
  alerts
    .filter(({ subject }) => subject.kind === 'service' && subject.id === serviceId)
    .filter(({ since }) => since >= openedAt * 1_000 && (closedAt === null || since < closedAt * 1_000))
    .toSorted((one, other) => one.since - other.since)
