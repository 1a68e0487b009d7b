import type { RegistryIndex } from '../index/registry-index.ts'
import { toListItem } from '../list-item.ts'
import { mergeRow } from '../merge.ts'
import { linksOf } from '../row-links.ts'
import type { EntryReader } from './entry-reader.ts'

/** A node that everybody may call. */
export interface PublicNode {
  readonly title: string
  readonly provider: string | null
  readonly url: string
}

/** The label that an address has which a program may call; other links are for people. */
const nodeLink = 'Endpoint'
/** Plans of addresses that are called without a key of their own. */
const openPlans: ReadonlySet<unknown> = new Set(['Public', 'Free', null, undefined])
/** Names of the network itself, where a row says which of its chains it is about. */
const ownChain: ReadonlySet<unknown> = new Set(['mainnet', '', null, undefined])

/** Creates the query for the nodes of a chain that everybody may call, each address once, in the order of the registry. */
export const createPublicNodes =
  (index: RegistryIndex, entries: EntryReader) =>
  (chain: string): PublicNode[] => {
    const network = entries.placeOfNetwork(chain)
    const found = new Map<string, PublicNode>()
    for (const entry of network === null ? [] : (index.entriesOfNetwork[network] ?? [])) {
      const { row } = entries.at(entry)
      if (row.listing.category !== 'apis') continue
      const cells = mergeRow(row.listing, row)
      if (!openPlans.has(cells['planType']) || !ownChain.has(cells['chain'])) continue
      const link = linksOf(cells).find(({ label, url }) => label === nodeLink && /^https?:/.test(url))
      if (link === undefined || found.has(link.url)) continue
      const { title, provider } = toListItem(row, index.providerOf)
      found.set(link.url, { title, provider, url: link.url })
    }
    return [...found.values()]
  }
