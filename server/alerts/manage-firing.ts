import type { Acknowledgement, AlertView } from '../../shared/alerts.ts'
import { dayMs } from '../../shared/durations.ts'
import type { ChangedBy } from '../audit/audit.ts'
import { fault } from '../platform/fault.ts'
import type { AlertStore, PastAlert } from './alert-store.ts'
import type { OpenAlert } from './decide/open-alert.ts'
import type { AlertSettings } from './settings.ts'

interface ManageFiringOptions {
  readonly settings: Pick<AlertSettings, 'change' | 'rules'>
  readonly alerts: Pick<AlertStore, 'open' | 'past' | 'acknowledge'>
  readonly now: () => number
}

const weekMs = 7 * dayMs

/** What operators do with alerts that are firing. */
export function createManageFiring({ settings, alerts, now }: ManageFiringOptions) {
  const viewsOf = (some: readonly PastAlert[]): AlertView[] => {
    const rules = settings.rules()
    return some.map(({ alert, resolvedAt }) => {
      const channels = rules.get(alert.rule)?.item.channels ?? []
      return viewOf(alert, resolvedAt, channels.length > 0)
    })
  }

  return {
    async list(): Promise<AlertView[]> {
      const open = await alerts.open()
      const firing = open.filter(({ phase }) => phase === 'firing').toReversed()
      return viewsOf(firing.map((alert) => ({ alert, resolvedAt: null })))
    },

    async past(): Promise<AlertView[]> {
      return viewsOf(await alerts.past(now() - weekMs))
    },

    /** Fault: `not_found`. */
    async acknowledge({ id, note }: Acknowledgement, by: ChangedBy): Promise<void> {
      const said = note === '' ? {} : { note }
      const subject = { kind: 'alert', id } as const
      const what = { action: 'alert.acknowledge', subject, ...(note !== '' && { after: said }) } as const
      await settings.change(by, what, async (sql) => {
        const acknowledged = { at: Math.floor(now()), by: by.actor.label, ...said }
        if (!(await alerts.acknowledge(sql, id, acknowledged)))
          throw fault('not_found', 'No alert of this id is firing')
      })
    },
  }
}

function viewOf(
  { id, rule, finding, toldTo, heldBack: held, affected, acknowledged }: OpenAlert,
  resolvedAt: number | null,
  hasChannel: boolean,
): AlertView {
  const { type, subject, decision, summary, since } = finding
  return {
    id,
    rule,
    type,
    subject,
    decision,
    summary,
    since: Math.floor(since),
    resolvedAt,
    toldTo,
    hasChannel,
    heldBack: held,
    affected,
    acknowledged,
  }
}
