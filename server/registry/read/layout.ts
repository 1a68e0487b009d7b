/** What a file of a registry is for; null: it is none of ours (pictures, documents). */
export type FileRole =
  | { readonly kind: 'providers' }
  | { readonly kind: 'offers'; readonly category: string }
  | { readonly kind: 'listings'; readonly category: string; readonly network: string | null }
  | { readonly kind: 'columns' }
  | { readonly kind: 'categories' }

const name = '([a-z0-9][a-z0-9-]{0,63})'
const offers = new RegExp(`^references/offers/${name}\\.csv$`)
const everywhere = new RegExp(`^listings/all-networks/${name}\\.csv$`)
const somewhere = new RegExp(`^listings/specific-networks/${name}/${name}\\.csv$`)

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
  return null
}

/** Whether a registry may be meant by a path although it does not follow the layout, so that somebody should be told. */
export const looksMisplaced = (path: string): boolean =>
  /^(?:references|listings)\/.*\.csv$/i.test(path) && roleOf(path) === null
