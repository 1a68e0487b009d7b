import type { AlertSilence, SilenceForm } from '../../shared/alert-times.ts'
import type { ChangedBy } from '../audit/audit.ts'
import { fault } from '../platform/fault.ts'
import { randomId } from '../platform/ids.ts'
import type { AlertSettings } from './settings.ts'
import type { SettingsStore } from './settings-store.ts'

interface ManageSilencesOptions {
  readonly settings: Pick<AlertSettings, 'silences' | 'change'>
  readonly store: Pick<SettingsStore, 'putSilence' | 'removeSilence'>
  readonly now: () => number
  readonly changed: () => void
}

const silenceSubject = (id: string) => ({ kind: 'silence', id }) as const

/** What operators do with silences. */
export function createManageSilences({ settings, store, now, changed }: ManageSilencesOptions) {
  return {
    list: (): Promise<AlertSilence[]> => Promise.resolve([...settings.silences()]),

    /** Fault: `invalid_request`. */
    async create(form: SilenceForm, by: ChangedBy): Promise<{ id: string }> {
      if (form.until <= now()) throw fault('invalid_request', 'until: expected an instant in the future')
      const id = randomId('silence')
      const silence = { ...form, id, createdAt: Math.floor(now()), createdBy: by.actor.label }
      const what = { action: 'silence.create', subject: silenceSubject(id), after: { ...form } } as const
      await settings.change(by, what, (sql) => store.putSilence(sql, silence))
      changed()
      return { id }
    },

    /** Fault: `not_found`. */
    async end(id: string, by: ChangedBy): Promise<void> {
      await settings.change(by, { action: 'silence.end', subject: silenceSubject(id) }, async (sql) => {
        if (!(await store.removeSilence(sql, id))) throw fault('not_found', 'There is no silence of this id')
      })
      changed()
    },
  }
}
