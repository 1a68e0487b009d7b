import { isSelected } from '../../../shared/alert-services.ts'
import type { MaintenanceWindow, AlertSilence } from '../../../shared/alert-times.ts'
import type { HeldBack } from '../../../shared/alerts.ts'
import type { OpenAlert } from './open-alert.ts'
import { isOn } from './spans.ts'
import type { AlertableService } from './watched.ts'

interface Rests {
  readonly now: number
  readonly services: ReadonlyMap<string, AlertableService>
  readonly silences: readonly AlertSilence[]
  readonly windows: readonly MaintenanceWindow[]
}

/** Returns why nobody is to be told of an alert now; null where nothing holds it back. */
export function heldBack(
  { rule, finding }: OpenAlert,
  { now, services, silences, windows }: Rests,
): HeldBack | null {
  const { subject, decision } = finding
  const service = subject.kind === 'service' ? services.get(subject.id) : undefined
  const about = service ?? {
    id: subject.id,
    chain: subject.kind === 'chain' ? subject.id : null,
    provider: '',
  }
  const silence = silences.find(
    (one) =>
      one.createdAt <= now &&
      now < one.until &&
      (one.rule === undefined || one.rule === rule) &&
      isSelected(one.services, about) &&
      (one.decisions === undefined || (decision !== null && one.decisions.includes(decision))),
  )
  if (silence !== undefined) return { by: 'silence', name: silence.id, reason: silence.reason }
  if (service !== undefined && service.maintenance !== null)
    return { by: 'maintenance', name: service.name, reason: service.maintenance }
  if (subject.kind !== 'service' && subject.kind !== 'chain') return null
  const window = windows.find((one) => isSelected(one.services, about) && isOn(one, now))
  return window === undefined ? null : { by: 'maintenance', name: window.name, reason: window.reason }
}
