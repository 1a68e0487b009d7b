import type { ConnectionUseChange } from '../../shared/connections.ts'
import type { Tone } from '../ui/tone.ts'
import type { ListedConnection } from './gateway-queries.ts'

/** What was last seen of a tool server, in words. */
export const statusWords: Readonly<
  Record<ListedConnection['status'], { readonly title: string; readonly tone: Tone; readonly hint: string }>
> = {
  new: { title: 'Not tried yet', tone: 'plain', hint: 'It has not been used yet.' },
  connected: { title: 'Works', tone: 'ok', hint: 'The tool server took the credentials.' },
  auth_required: { title: 'Refused', tone: 'bad', hint: 'The tool server did not take the credentials.' },
  unreachable: { title: 'Not reached', tone: 'warn', hint: 'The tool server could not be reached.' },
  origin_changed: {
    title: 'Address changed',
    tone: 'bad',
    hint: 'The registry names another address than the one the secret was saved for: it is not sent there.',
  },
  service_gone: { title: 'Not listed', tone: 'warn', hint: 'The registry does not list it any more.' },
}

export const connectionName = ({ label, name }: Pick<ListedConnection, 'label' | 'name'>): string =>
  label ?? name

const kilobyte = 1_024
const sizes = [64 * kilobyte, 256 * kilobyte, kilobyte ** 2, 2 * kilobyte ** 2, 4 * kilobyte ** 2]

const sizeText = (bytes: number): string =>
  bytes >= kilobyte ** 2
    ? `${Math.round((bytes / kilobyte ** 2) * 10) / 10} MB`
    : `${Math.round((bytes / kilobyte) * 10) / 10} KB`

/** Sizes to choose from; one that was set otherwise stays among them. */
export const resultSizes = (present: number): { readonly value: string; readonly label: string }[] =>
  [...new Set([...sizes, present])]
    .toSorted((one, other) => one - other)
    .map((bytes) => ({ value: String(bytes), label: sizeText(bytes) }))

/** A form of settings as it is sent. */
export const useChangeOf = (
  id: string,
  {
    onChange,
    resultBytes,
    showsSecrets,
  }: { readonly onChange: string; readonly resultBytes: string; readonly showsSecrets: boolean },
): ConnectionUseChange => ({
  id,
  onChange: onChange === 'block' ? 'block' : 'warn',
  resultBytes: Number(resultBytes),
  showsSecrets,
})
