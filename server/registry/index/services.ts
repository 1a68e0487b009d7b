import type { RegistryRow } from '../expand.ts'
import { mergedCell } from '../merge.ts'
import type { Listing } from '../snapshot.ts'

/** Words of slugs that tell plans of one service apart. */
const planWords: ReadonlySet<string> = new Set(
  'free public developer growth enterprise pro professional business starter scale basic premium team standard lite plus advanced custom payg pay as you go dedicated personal trial recent state archive full pruned mainnet testnet devnet sepolia tiered build core accelerate startup elementary launch keyless hobby individual unlimited node nodes plan v2 sse http'.split(
    ' ',
  ),
)

/**
 * Numbers the services that the rows belong to: APIs of one provider and one type are plans of one service, and so are
 * other rows of one provider whose slugs differ in nothing but the network, the plan, the data that is kept or the
 * transport.
 */
export function numberServices(
  rows: readonly RegistryRow[],
  serviceIds: readonly string[],
): { serviceOfRow: Uint32Array; serviceCount: number } {
  const numbers = new Map<string, number>()
  const numbersOfIds = new Map<string, number>()
  let serviceCount = 0
  const serviceOfRow = Uint32Array.from(rows, ({ listing }, row) => {
    const key = keyOf(listing)
    const id = serviceIds[row] ?? ''
    // An id is one service, even if its rows name several providers.
    const number = numbersOfIds.get(id) ?? numbers.get(key) ?? serviceCount++
    numbersOfIds.set(id, number)
    if (!numbers.has(key)) numbers.set(key, number)
    return number
  })
  return { serviceOfRow, serviceCount }
}

function keyOf(listing: Listing): string {
  const provider = textOf(listing, 'provider').toLowerCase()
  const apiType = textOf(listing, 'apiType')
  return `${listing.category} ${provider} ${apiType === '' ? stemOf(listing) : `of type ${apiType}`}`
}

function stemOf(listing: Listing): string {
  const slug = (listing.offer?.slug ?? listing.slug).toLowerCase()
  const own = ['planName', 'planType', 'historicalData', 'chain'].map((column) => textOf(listing, column))
  const told = new Set([
    ...own
      .join('-')
      .toLowerCase()
      .split(/[^a-z0-9]+/),
    ...(listing.network?.split('-') ?? []),
  ])
  const [first = '', ...rest] = slug.split('-')
  return [
    first,
    ...rest.filter((part) => !planWords.has(part) && !told.has(part) && !/^\d+$/.test(part)),
  ].join('-')
}

function textOf(listing: Listing, column: string): string {
  const value = mergedCell(listing, column)
  return typeof value === 'string' ? value : ''
}
