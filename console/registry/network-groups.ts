import type { DiscoverNetworksOutput } from '../../shared/registry.ts'

type Network = DiscoverNetworksOutput['networks'][number]

export interface NetworkGroup {
  readonly title: string
  readonly networks: readonly Network[]
}

/** As many as are looked for most often; fewer are one list that needs no parts. */
const shownFirst = 12
const testNetwork =
  /\b(testnet|devnet|sepolia|holesky|hoodi|goerli|chiado|amoy|mumbai|fuji|alfajores|signet|preprod)\b/i

const byName = (one: Network, other: Network): number => one.name.localeCompare(other.name)
const byServices = (one: Network, other: Network): number =>
  other.services - one.services || byName(one, other)

/** The networks on which most stands, then all others by name, then those for tests. */
export function networkGroups(networks: readonly Network[]): readonly NetworkGroup[] {
  const forTests = networks.filter(({ chain, name }) => testNetwork.test(`${name} ${chain}`))
  const real = networks.filter((network) => !forTests.includes(network)).toSorted(byServices)
  const isLong = real.length > 2 * shownFirst
  const groups = [
    { title: 'With most services', networks: isLong ? real.slice(0, shownFirst) : [] },
    {
      title: isLong ? 'Other networks' : 'Networks',
      networks: real.slice(isLong ? shownFirst : 0).toSorted(byName),
    },
    { title: 'Test networks', networks: forTests.toSorted(byName) },
  ]
  return groups.filter((group) => group.networks.length > 0)
}
