/** What a file of a registry is for. */
export type FileRole =
  | { readonly kind: 'providers' }
  | { readonly kind: 'offers'; readonly category: string }
  | { readonly kind: 'listings'; readonly category: string; readonly network: string | null }
  /** The compact form of a category's listings, in which a column names the network of each row. */
  | { readonly kind: 'compact-listings'; readonly category: string }
  | { readonly kind: 'columns' }
  | { readonly kind: 'categories' }

const name = '([a-z0-9][a-z0-9-]{0,63})'
const offers = new RegExp(`^references/offers/${name}\\.csv$`)
const everywhere = new RegExp(`^listings/all-networks/${name}\\.csv$`)
const somewhere = new RegExp(`^listings/specific-networks/${name}/${name}\\.csv$`)
const compact = new RegExp(`^listings/${name}\\.csv$`)

/** Returns the role of a file by its path from the registry's root; null for what is not read (pictures, documents). */
export function roleOf(path: string): FileRole | null {
  if (path === 'references/providers/providers.csv') return { kind: 'providers' }
  if (path === 'meta/columns.json') return { kind: 'columns' }
  if (path === 'meta/categories.json') return { kind: 'categories' }
  const [, offered] = offers.exec(path) ?? []
  if (offered !== undefined) return { kind: 'offers', category: offered }
  const [, category] = everywhere.exec(path) ?? []
  if (category !== undefined) return { kind: 'listings', category, network: null }
  const [, network, listed] = somewhere.exec(path) ?? []
  if (network !== undefined && listed !== undefined) return { kind: 'listings', category: listed, network }
  const [, compacted] = compact.exec(path) ?? []
  return compacted === undefined ? null : { kind: 'compact-listings', category: compacted }
}

const wholeName = new RegExp(`^${name}$`)

/** Returns whether a text may name a network, as a folder of the layout does. */
export const isNetworkName = (text: string): boolean => wholeName.test(text)

/** Returns whether a registry may be meant by a path that does not follow the layout, so that the operator is told. */
export const looksMisplaced = (path: string): boolean =>
  /^(?:references|listings)\/.*\.csv$/i.test(path) && roleOf(path) === null
