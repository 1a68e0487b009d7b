import { expect, test } from 'bun:test'

import { networkGroups } from './network-groups.ts'

const network = (name: string, services = 1) => ({
  chain: name.toLowerCase().replaceAll(' ', '-'),
  name,
  services,
})
const titlesOf = (names: readonly ReturnType<typeof network>[]) =>
  networkGroups(names).map(({ title, networks }) => [title, networks.map(({ name }) => name).join()])

test('a few networks are one list by name, and those for tests stand apart', () => {
  expect(
    titlesOf([network('Solana', 9), network('Base'), network('Ethereum Sepolia'), network('Gnosis chiado')]),
  ).toEqual([
    ['Networks', 'Base,Solana'],
    ['Test networks', 'Ethereum Sepolia,Gnosis chiado'],
  ])
  expect(networkGroups([])).toEqual([])
})

test('of many, those with most services come first', () => {
  const many = Array.from({ length: 30 }, (_, place) => network(`N${place + 10}`, place))
  const [first, others] = networkGroups(many)
  expect([first?.title, first?.networks.length, first?.networks[0]?.name]).toEqual([
    'With most services',
    12,
    'N39',
  ])
  expect([others?.title, others?.networks.length, others?.networks[0]?.name]).toEqual([
    'Other networks',
    18,
    'N10',
  ])
})
