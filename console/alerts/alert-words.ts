import type { AlertSubject, AlertView } from '../../shared/alerts.ts'
import type { ConsolePage } from '../../shared/console-pages.ts'

/** Where one looks after the subject of an alert, as a place of the router. */
export interface SubjectPlace {
  readonly name: ConsolePage
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
}

export function subjectPlace({ kind, id, name }: AlertView['subject']): SubjectPlace {
  switch (kind) {
    case 'service':
      return { name: 'service', params: { serviceId: id } }
    case 'chain':
      return { name: 'services', query: { chain: id } }
    case 'verifier':
    case 'verifiers':
      return { name: 'verifiers' }
    case 'key':
      return { name: 'queryKeys', query: { search: name } }
    case 'connection':
      return { name: 'gateway', query: { tab: 'connections' } }
    case 'account':
      return { name: 'accounts' }
    case 'installation':
      return { name: 'settings' }
  }
}

export const subjectWords: Readonly<Record<AlertSubject, string>> = {
  service: 'service',
  chain: 'chain',
  verifier: 'verifier',
  verifiers: 'verifiers',
  installation: 'installation',
  key: 'key',
  connection: 'connection',
  account: 'account',
}

const all = new Intl.ListFormat('en', { type: 'conjunction' })

/** Who was told of an alert, or why nobody was. */
export function alertNoticeText({
  heldBack,
  acknowledged,
  toldTo,
  hasChannel,
  resolvedAt,
}: AlertView): string {
  const told = toldTo.length > 0 ? `told to ${all.format(toldTo)}` : null
  if (acknowledged !== null) {
    const { by, note } = acknowledged
    const said = note === undefined ? '' : `: “${note}”`
    return [told, `${by} takes care of it${said}`].filter(Boolean).join('; ')
  }
  if (heldBack !== null) {
    const by = heldBack.by === 'maintenance' ? `maintenance “${heldBack.name}”` : 'a silence'
    return `held back by ${by}${heldBack.reason === '' ? '' : `: ${heldBack.reason}`}`
  }
  if (told !== null) return told
  if (resolvedAt !== null) return 'nobody was told'
  return hasChannel ? 'waits to be told' : 'nobody is told: its rule has no channel'
}

/** For how many services one message stands; empty for one that stands for itself. */
export const affectedText = ({ affected }: Pick<AlertView, 'affected'>): string =>
  affected > 1 ? `one message stands for ${affected} services` : ''
