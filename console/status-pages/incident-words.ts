import type { IncidentStage } from '../../shared/status-pages.ts'
import type { ListedIncident } from './status-queries.ts'

export const stageTitles: Readonly<Record<IncidentStage, string>> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
  planned: 'Planned',
  under_way: 'Under way',
  completed: 'Completed',
}

export const kindTitles = { incident: 'Incident', maintenance: 'Planned work' } as const

/** The stage that its last update has. */
export const stageOf = ({ updates, kind }: ListedIncident): IncidentStage =>
  updates.at(-1)?.stage ?? (kind === 'incident' ? 'investigating' : 'planned')

/** An instant as inputs of a form have it: day and time of UTC. */
export const instantParts = (at: number): { day: string; time: string } => {
  const text = new Date(at).toISOString()
  return { day: text.slice(0, 10), time: text.slice(11, 16) }
}

/** Epoch ms of a day and a time of UTC; null where one of them is none. */
export function instantOf({ day, time }: { readonly day: string; readonly time: string }): number | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || !/^\d\d:\d\d$/.test(time)) return null
  const at = Date.parse(`${day}T${time}:00Z`)
  return Number.isFinite(at) ? at : null
}
