import { expect, test } from 'bun:test'

import { mergeRow } from '../merge.ts'
import { csvOf, filesOf, loadFiles } from '../test-support/small-registry.ts'

type Rows = Parameters<typeof csvOf>[0]

const offers = [{ slug: 'one', provider: 'Acme', planType: 'Free', offer: 'RPC' }]
const good = filesOf({ 'offers/apis': offers, 'ethereum/sdks': [{ slug: 'good' }] })
const compact = (category: string, rows: Rows) => ({ path: `listings/${category}.csv`, text: csvOf(rows) })

/** Everything that answers are made of, except where it stands. */
async function contentsOf(files: Parameters<typeof loadFiles>[0]) {
  const { index, counts, problems } = await loadFiles(files)
  return {
    counts,
    problems,
    networks: index.snapshot.networks,
    entries: [...index.rowOfEntry].map((row, entry) => [index.serviceIds[row], index.networkOfEntry[entry]]),
    rows: index.rows.map((row) => Object.entries(mergeRow(row.listing, row))),
  }
}

test('the compact form makes the same registry as the folder form, down to the columns of each row', async () => {
  const folder = filesOf({
    'offers/apis': offers,
    'all/sdks': [{ slug: 'kit', offer: '' }],
    'base/apis': [{ slug: 'b', offer: '!offer:one', chain: 'mainnet' }],
    'base-sepolia/apis': [{ slug: 'c', offer: '', chain: 'sepolia', price: '$1' }],
    'ethereum/apis': [{ slug: 'b', offer: '!offer:one', chain: 'mainnet' }],
    'ethereum/sdks': [{ slug: 'kit', offer: '' }],
  })
  const files = [
    ...folder.filter(({ path }) => !path.startsWith('listings/')),
    compact('sdks', [
      { network: 'ethereum', slug: 'kit', offer: '' },
      { network: '*', slug: 'kit', offer: '' },
    ]),
    compact('apis', [
      { network: 'ethereum', slug: 'b', offer: '!offer:one', chain: 'mainnet' },
      { network: 'base-sepolia', slug: 'c', offer: '', chain: 'sepolia', price: '$1' },
      { network: 'base', slug: 'b', offer: '!offer:one', chain: 'mainnet' },
    ]),
  ]
  const { problems, ...made } = await contentsOf(files)
  const { problems: ofFolder, ...expected } = await contentsOf(folder)
  expect(made).toEqual(expected)
  const withoutPlace = (list: typeof problems) => list.map(({ reason, effect }) => ({ reason, effect }))
  expect(withoutPlace(problems)).toEqual(withoutPlace(ofFolder)) // kit, which ethereum lists itself
})

test('both forms may stand side by side in one registry', async () => {
  const { index, problems } = await loadFiles([...good, compact('sdks', [{ network: 'base', slug: 'kit' }])])
  expect(problems).toEqual([])
  expect(index.entriesOf('sdks:good')).toHaveLength(1)
  expect(index.entriesOf('sdks:kit')).toHaveLength(1)
})

const wrongFiles: Record<string, readonly [text: string, line: number, reason: string]> = {
  'no column network': ['slug,offer\nx,\n', 1, 'the header has no column network'],
  'no network': ['network,slug\n,x\n', 2, 'network: expected the name of a network, or * for all of them'],
  'a network that is no name': [
    'network,slug\nbase,x\n../etc,y\n',
    3,
    'network: expected the name of a network, or * for all of them',
  ],
  'too many cells': ['network,slug\nbase,x,,\n', 2, '4 cells where the header has 2'],
  'a slug twice on a network': [
    'network,slug\nbase,x\nbsc,x\nbase,x\n',
    4,
    'the slug x is in this file already',
  ],
  'an offer that is not there': [
    'network,slug,offer\nbase,x,!offer:none\n',
    2,
    'there is no offer none in references/offers/apis.csv',
  ],
}

for (const [name, [text, line, reason]] of Object.entries(wrongFiles)) {
  test(`a wrong row of the compact form is left out and reported: ${name}`, async () => {
    const file = 'listings/apis.csv'
    const { problems, index } = await loadFiles([...good, { path: file, text }])
    expect(problems).toEqual([{ file, line, reason, effect: 'left_out' }])
    expect(index.entriesOf('sdks:good')).toHaveLength(1)
  })
}
