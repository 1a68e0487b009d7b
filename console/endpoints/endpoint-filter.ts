import type { EndpointListItem } from '../../shared/endpoints.ts'
import { endpointState, endpointStates } from './endpoint-state.ts'
import type { EndpointState } from './endpoint-state.ts'

/** What the list is narrowed to; an empty text narrows nothing. It stands in the address of the page. */
export interface EndpointFilter {
  readonly search: string
  readonly state: EndpointState | ''
}

export const noEndpointFilter: EndpointFilter = { search: '', state: '' }

type Query = Readonly<Record<string, unknown>>

/** Reads the page's address; what makes no sense in it narrows nothing. */
export const endpointFilterFromQuery = ({ search, state }: Query): EndpointFilter => ({
  search: typeof search === 'string' ? search : '',
  state: endpointStates.find((known) => known === state) ?? '',
})

/** The part of the address that `filterFromQuery` reads. */
export const endpointQueryOf = ({ search, state }: EndpointFilter): Record<string, string> => ({
  ...(search.trim() !== '' && { search: search.trim() }),
  ...(state !== '' && { state }),
})

export const isEndpointListNarrowed = ({ search, state }: EndpointFilter): boolean =>
  search.trim() !== '' || state !== ''

/** The endpoints with every typed word in their name, chain or upstreams, and in the chosen state. */
export function filterEndpoints(
  endpoints: readonly EndpointListItem[],
  { search, state }: EndpointFilter,
): readonly EndpointListItem[] {
  const words = search.trim().toLowerCase().split(/\s+/)
  return endpoints.filter((endpoint) => {
    if (state !== '' && endpointState(endpoint) !== state) return false
    const text = searchedText(endpoint)
    return words.every((word) => text.includes(word))
  })
}

const searchedText = ({ name, chain, upstreams }: EndpointListItem): string =>
  [name, chain.key, chain.name, ...upstreams.flatMap(({ id, host }) => [id, host ?? ''])]
    .join(' ')
    .toLowerCase()
