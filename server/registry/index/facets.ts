import { filledColumns, mergedCell } from '../merge.ts'
import type { RegistryRow } from '../expand.ts'
import type { Listing } from '../snapshot.ts'
import { foldText } from './words.ts'

/**
 * Properties of services that people ask for by words of their own ("free", "without a key"), whatever column says them.
 * Each row has a bit for each of them.
 */
export interface Facet {
  /** As an answer says it. */
  readonly label: string
  /** Words of a question that ask for it, in lower case. */
  readonly phrases: readonly string[]
  readonly has: (row: RowReader) => boolean
  /** Whether the copies of one listing differ in it. */
  readonly isOfSubChain?: true
}

interface RowReader {
  /** The text of a column in lower case; lists are joined by a space. */
  readonly cell: (column: string) => string
  /** All that is written about the row, in lower case. */
  readonly text: string
  readonly category: string
  readonly subChain: string
}

const testNetwork =
  /test|sepolia|holesky|hoodi|amoy|fuji|devnet|chiado|calib|coston|curtis|cardona|bepolia|minato|paseo|nile|shasta|preprod|preview|signet|kairos|goerli|mumbai|shibuya/

const isTrue =
  (column: string) =>
  ({ cell }: RowReader): boolean =>
    cell(column) === 'true'
const says =
  (pattern: RegExp) =>
  ({ text }: RowReader): boolean =>
    pattern.test(text)
/** `$0.01 per call` begins with a zero, too. */
const costsNothing = /^(?:free|[$€]0(?:[.,]0+)?(?![.,]?\d))/
const isFree = ({ cell, category }: RowReader): boolean =>
  /^(free|public)/.test(cell('plantype')) ||
  ['price', 'accessprice', 'pricing'].some((column) => costsNothing.test(cell(column))) ||
  category === 'faucets'

const words = (text: string): string[] => text.split(',').map((phrase) => phrase.trim())

export const facets: readonly Facet[] = [
  {
    label: 'without a key',
    phrases: words(
      'no key, no api key, without key, without api key, without an api key, without a key, needs no key, keyless, no signup, no sign up, without signing up, without sign up, no registration, without registration, no login, without login, no auth, without authentication, unauthenticated, no account, permissionless',
    ),
    has: ({ cell, text, category }) =>
      cell('plantype') === 'public' ||
      cell('authtype') === 'none' ||
      (category === 'faucets' && cell('requireslogin') === 'false') ||
      /\bno key\b|without a key|keyless/.test(text),
  },
  {
    label: 'free',
    phrases: words(
      'free, free tier, free plan, free of charge, gratis, no cost, at no cost, public, for free, zero cost',
    ),
    has: isFree,
  },
  { label: 'paid', phrases: words('paid, paid plan, premium plan'), has: (row) => !isFree(row) },
  {
    label: 'with archive data',
    phrases: words(
      'archive, archive data, archival, full history, historical state, historical data, archive state',
    ),
    has: ({ cell, text }) =>
      /archive|full/.test(cell('historicaldata')) ||
      cell('fullhistory') === 'true' ||
      /\barchiv(e|al)\b/.test(text),
  },
  {
    label: 'over WebSocket',
    phrases: words('websocket, web socket, wss, ws, subscription, eth subscribe, streaming'),
    has: says(/websocket|wss:\/\//),
  },
  {
    label: 'on a test network',
    phrases: words('testnet, test network, test net, devnet'),
    has: ({ subChain, category }) =>
      testNetwork.test(subChain) || (category === 'faucets' && subChain === ''),
    isOfSubChain: true,
  },
  {
    label: 'on a main network',
    phrases: words('mainnet, main network, production network'),
    has: ({ subChain }) => !testNetwork.test(subChain),
    isOfSubChain: true,
  },
  { label: 'open source', phrases: words('open source, opensource, oss, foss'), has: isTrue('opensource') },
  {
    label: 'for hardware',
    phrases: words('hardware, cold'),
    has: (row) => isTrue('hardware')(row) || row.cell('supportedplatforms').includes('hardware'),
  },
  {
    label: 'non-custodial',
    phrases: words('non custodial, noncustodial, self custody, self custodial, selfcustody'),
    has: ({ cell }) => cell('custodial') === 'false',
  },
  { label: 'custodial', phrases: ['custodial'], has: isTrue('custodial') },
  {
    label: 'with several signers',
    phrases: words('multisig, multi sig, multi signature, multisignature'),
    has: (row) => isTrue('msig')(row) || /multi-?sig/.test(row.text),
  },
  {
    label: 'with staking',
    phrases: ['staking'],
    has: (row) => isTrue('staking')(row) || /staking/.test(row.text),
  },
  { label: 'with a trial', phrases: words('trial, free trial'), has: isTrue('trial') },
  { label: 'paid per call by x402', phrases: ['x402'], has: isTrue('x402') },
  {
    label: 'dedicated',
    phrases: words('dedicated, private'),
    has: ({ cell }) => /dedicated/.test(`${cell('plantype')} ${cell('planname')} ${cell('slug')}`),
  },
  {
    label: 'for enterprises',
    phrases: words('enterprise, enterprise plan'),
    has: ({ cell }) => /enterprise|custom/.test(`${cell('plantype')} ${cell('planname')}`),
  },
  {
    label: 'pay as you go',
    phrases: words('pay as you go, payg, pay per use, usage based, pay per request'),
    has: ({ cell }) => /pay-as-you-go/.test(cell('plantype')),
  },
  {
    label: 'for mobile',
    phrases: words('mobile, ios, android, iphone, phone'),
    has: ({ cell }) => /ios|android/.test(cell('supportedplatforms')),
  },
  {
    label: 'for browsers',
    phrases: words('browser, browser extension, extension, chrome extension, chrome, firefox'),
    has: ({ cell }) => /browser|extension|chrome|firefox/.test(cell('supportedplatforms')),
  },
  {
    label: 'for desktops',
    phrases: words('desktop, windows, macos, linux'),
    has: ({ cell }) => /desktop/.test(cell('supportedplatforms')),
  },
  {
    label: 'with GraphQL',
    phrases: words('graphql, subgraph, subgraphs'),
    has: says(/graphql|the graph|subgraph/),
  },
  { label: 'with gRPC', phrases: words('grpc, yellowstone, geyser'), has: says(/grpc|geyser/) },
  {
    label: 'with protection from MEV',
    phrases: words('mev, mev protection, mev protected, front running protection, frontrunning'),
    has: says(/\bmev\b|flashbots|front-?running|protected? (relay|transaction|rpc)/),
  },
  {
    label: 'with traces',
    phrases: words('trace, tracing, debug trace, trace api, debug api, trace debug'),
    has: says(/\btrac(e|ing)\b|debug_/),
  },
  {
    label: 'documentation',
    phrases: words('documentation, doc'),
    has: ({ cell, text }) => cell('servertype') === 'docs' || /documentation|docs-search/.test(text),
  },
  {
    // Nobody asks for it by these words: whoever asks for a node does.
    label: 'node',
    phrases: [],
    has: ({ cell, category }) =>
      category === 'apis' &&
      (/\brpc\b/.test(cell('technology')) || (cell('apitype') === 'rpc' && cell('technology') !== 'custom')),
  },
  {
    label: 'run by its user',
    phrases: words('self hosted, selfhosted, stdio, run locally, local'),
    has: ({ cell }) => /self-hosted/.test(cell('hostingtype')) || /stdio/.test(cell('transporttype')),
  },
  {
    label: 'hosted',
    phrases: words('hosted, remote'),
    has: ({ cell }) => cell('hostingtype').startsWith('hosted') || /hosted/.test(cell('tooltype')),
  },
]

export const facetNamed = (label: string): number => facets.findIndex((facet) => facet.label === label)

/** Returns the function that gives a row its bits. Rows of one listing follow each other, so it is read once. */
export function createFacetsOf(): (row: RegistryRow) => number {
  let latest: Listing | null = null
  let reader: Omit<RowReader, 'subChain'> = { cell: () => '', text: '', category: '' }
  let bits = 0
  return ({ listing, subChain }) => {
    if (listing !== latest) {
      latest = listing
      reader = readerOf(listing)
      bits = bitsOf(ofListings, { ...reader, subChain: '' })
    }
    return (
      bits | bitsOf(ofSubChains, { ...reader, subChain: subChain?.toLowerCase() ?? reader.cell('chain') })
    )
  }
}

const places = [...facets.keys()]
const ofListings = places.filter((place) => facets[place]?.isOfSubChain !== true)
const ofSubChains = places.filter((place) => facets[place]?.isOfSubChain === true)

const bitsOf = (those: readonly number[], reader: RowReader): number =>
  those.reduce((bits, place) => (facets[place]?.has(reader) === true ? bits | (1 << place) : bits), 0)

function readerOf(listing: Listing): Omit<RowReader, 'subChain'> {
  const cells = new Map<string, string>()
  for (const column of filledColumns(listing)) {
    const value = mergedCell(listing, column)
    cells.set(
      column.toLowerCase(),
      foldText(Array.isArray(value) ? value.map(String).join(' ') : String(value)),
    )
  }
  cells.delete('source')
  return {
    cell: (column) => cells.get(column) ?? '',
    text: [...cells.values()].join(' '),
    category: listing.category,
  }
}
