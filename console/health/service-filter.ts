import { decisions } from '../../shared/health.ts'
import type { Decision } from '../../shared/health.ts'
import type { ServiceSummary } from '../../shared/health-services.ts'
import { type AddressQuery, queryText, withoutBlanks } from '../address-query.ts'

/** What a list of services is narrowed to; an empty text narrows nothing. */
export interface ServiceFilter {
  readonly text: string
  readonly decision: Decision | ''
  readonly chain: string
  readonly family: string
  readonly provider: string
}

export const noServiceFilter: ServiceFilter = { text: '', decision: '', chain: '', family: '', provider: '' }

const isDecision = (text: string): text is Decision => decisions.some((decision) => decision === text)

/** Reads the page's address, where the text has the name that people expect; what makes no sense in it narrows nothing. */
export function serviceFilterFromQuery(query: AddressQuery): ServiceFilter {
  const read = (name: string): string => queryText(query, name)
  const decision = read('decision').toUpperCase()
  return {
    text: read('q'),
    decision: isDecision(decision) ? decision : '',
    chain: read('chain'),
    family: read('family'),
    provider: read('provider'),
  }
}

/** The reverse of `serviceFilterFromQuery`; what narrows nothing is not in it. */
export const serviceQueryOf = ({
  text,
  decision,
  chain,
  family,
  provider,
}: ServiceFilter): Record<string, string> => withoutBlanks({ q: text, decision, chain, family, provider })

export const isSameFilter = (one: ServiceFilter, other: ServiceFilter): boolean =>
  JSON.stringify(serviceQueryOf(one)) === JSON.stringify(serviceQueryOf(other))

type Filtered = Pick<ServiceSummary, 'id' | 'name' | 'family' | 'chain' | 'provider' | 'labels' | 'decision'>

/** Whether a service has every typed word in its name, id, chain, family, provider or labels, and everything else chosen. */
export function serviceMatcher(filter: ServiceFilter): (row: Filtered) => boolean {
  const words = filter.text.trim().toLowerCase().split(/\s+/)
  return (row) => {
    if (filter.decision !== '' && row.decision !== filter.decision) return false
    if (filter.chain !== '' && row.chain?.key !== filter.chain) return false
    if (filter.family !== '' && row.family !== filter.family) return false
    if (filter.provider !== '' && row.provider !== filter.provider) return false
    if (words[0] === '') return true
    const text = searchedText(row)
    return words.every((word) => text.includes(word))
  }
}

/** Of the rows that were searched before: making them anew for ten thousand at each keystroke would be felt. */
const searchedTexts = new WeakMap<Filtered, string>()

function searchedText(row: Filtered): string {
  const known = searchedTexts.get(row)
  if (known !== undefined) return known
  const { name, id, chain, family, provider, labels } = row
  const parts = [name, id, chain?.name ?? '', chain?.key ?? '', family, provider, ...labels]
  const text = parts.join(' ').toLowerCase()
  searchedTexts.set(row, text)
  return text
}

export const isServiceListNarrowed = (filter: ServiceFilter): boolean =>
  Object.values(filter).some((value) => value !== '')

export interface FilterChoice {
  readonly value: string
  readonly label: string
}

/** What the rows can be narrowed to in one field, by label. */
export function choicesOf(
  rows: readonly Filtered[],
  field: 'chain' | 'family' | 'provider',
): readonly FilterChoice[] {
  const labels = new Map<string, string>()
  for (const row of rows) {
    if (field === 'chain') {
      if (row.chain !== null) labels.set(row.chain.key, row.chain.name)
    } else labels.set(row[field], row[field])
  }
  return [...labels]
    .map(([value, label]) => ({ value, label }))
    .sort((one, other) => one.label.localeCompare(other.label))
}
