import { describe, expect, test } from 'bun:test'

import { mergeRow } from './merge.ts'
import { snapshotLimits } from './read/limits.ts'
import { filesOf, loadContents, loadFiles, metaFiles } from './test-support/small-registry.ts'

const offers = [{ slug: 'one', provider: 'Acme', planType: 'Free', offer: 'RPC' }]

/** What is reported about one file, when there is a good row beside it. */
async function problemsOf(text: string) {
  const good = filesOf({ 'offers/apis': offers, 'ethereum/sdks': [{ slug: 'good' }] })
  const { problems, counts, index } = await loadFiles([
    ...good,
    { path: 'listings/specific-networks/ethereum/apis.csv', text },
  ])
  expect(index.entriesOf('sdks:good')).toHaveLength(1)
  return { problems, counts, index }
}

describe('a row that is wrong is left out, and reported with file, line and reason', () => {
  const file = 'listings/specific-networks/ethereum/apis.csv'
  const cases: Record<string, readonly [text: string, line: number | null, reason: string]> = {
    'an offer that is not there': [
      'slug,offer\nx,!offer:none\n',
      2,
      'there is no offer none in references/offers/apis.csv',
    ],
    'a slug twice': ['slug,offer\nx,\nx,\n', 3, 'the slug x is in this file already'],
    'no slug': ['slug,offer\n,\n', 2, 'slug: expected letters, digits, dots and dashes'],
    'a slug with a slash': ['slug,offer\na/b,\n', 2, 'slug: expected letters, digits, dots and dashes'],
    'too many cells': ['slug,offer\nx,,,\n', 2, '4 cells where the header has 2'],
    'JSON that is none': ['slug,tag\nx,"[""a"""\n', 2, 'tag: not valid JSON'],
    'a huge cell': [`slug,offer\nx,${'y'.repeat(70_000)}\n`, 2, 'offer: longer than 65536 characters'],
    'no CSV': ['slug,offer\nx"y,\n', 2, 'not valid CSV (invalid opening quote)'],
    'a header without slug': ['name,offer\nx,\n', 1, 'the header has no column slug'],
    'a header with a column twice': ['slug,offer,offer\nx,,\n', 1, 'the header has a column twice'],
    'a header with an odd column': [
      'slug,__proto__\nx,y\n',
      1,
      'the header has a column that is no name: "__proto__"',
    ],
  }
  for (const [name, [text, line, reason]] of Object.entries(cases)) {
    test(name, async () => {
      const { problems, counts } = await problemsOf(text)
      expect(problems).toEqual([{ file, line, reason, effect: 'left_out' }])
      expect(counts.leftOut).toBe(1)
    })
  }

  test('a file in a place of its own', async () => {
    const { problems } = await loadFiles([
      ...filesOf({ 'ethereum/apis': [{ slug: 'a' }] }),
      { path: 'listings/specific-networks/Ether Eum/apis.csv', text: 'slug\nx\n' },
    ])
    expect(problems).toMatchObject([{ line: null, effect: 'left_out' }])
  })

  test('an id that is listed on the network already; the network`s own listing wins', async () => {
    const { problems, index } = await loadContents({
      'all/sdks': [{ slug: 'kit', planType: 'of all' }],
      'ethereum/sdks': [{ slug: 'kit', planType: 'own' }],
      'base/sdks': [{ slug: 'other' }],
    })
    expect(problems).toEqual([
      {
        file: 'listings/all-networks/sdks.csv',
        line: 2,
        reason: 'kit is listed on ethereum already',
        effect: 'left_out',
      },
    ])
    const kits = index.entriesOf('sdks:kit').map((entry) => {
      const row = index.rows[index.rowOfEntry[entry] ?? 0]
      return row && mergeRow(row.listing, row)['planType']
    })
    expect(kits).toEqual(['of all', 'own']) // base, ethereum
  })

  test('more problems than anybody reads are counted, and not all kept', async () => {
    const rows = Array.from({ length: 1_500 }, (_, place) => `s${place},!offer:none`).join('\n')
    const { problems, counts } = await problemsOf(`slug,offer\n${rows}\n`)
    expect(counts.leftOut).toBe(1_500)
    expect(problems).toHaveLength(snapshotLimits.problemsKept)
  })
})

const refused = async (files: Parameters<typeof loadFiles>[0]): Promise<string> => {
  const outcome = await loadFiles(files).then(
    () => 'loaded',
    (error: Error) => `${error.name}: ${error.message}`,
  )
  return outcome
}

test('without meta/ the columns and categories are called and filtered as in our own registry', async () => {
  const path = 'listings/specific-networks/ethereum/apis.csv'
  const text =
    '\ufeffslug,provider ,planType,accessPrice\r\n"a" ,"Acme", Free,"$0" \r\nb,Acme\r\n"c,Acme,Free,$0\r\n'
  const { index, problems } = await loadFiles([{ path, text }])
  expect(index.rows.map(({ slug }) => slug)).toEqual(['a'])
  expect([...index.values.rowsWith('planType', 'free')]).toEqual([0])
  expect(index.values.numbers('accessPrice')?.[0]).toBe(0)
  expect(index.snapshot.columns.get('planType')?.label).toBe('Plan')
  expect(index.snapshot.categories.get('apis')?.label).toBe('APIs')
  expect(problems.map(({ line, reason }) => [line, reason])).toEqual([
    [4, 'not valid CSV (quote not closed)'],
    [3, '2 cells where the header has 4'],
  ])
})

describe('what is no registry at all is refused', () => {
  test('nothing', async () => expect(await refused([])).toContain('there is no meta/columns.json'))
  test('no network', async () => expect(await refused(metaFiles)).toContain('there is no network'))
  test('columns that are no JSON', async () => {
    expect(await refused([{ path: 'meta/columns.json', text: '{' }])).toContain(
      'meta/columns.json: not valid JSON',
    )
  })
  test('a kind of filter that nobody knows', async () => {
    const text = JSON.stringify({ price: { label: 'Price', filter: 'regex' } })
    expect(await refused([{ path: 'meta/columns.json', text }])).toContain(
      'UnusableSnapshot: meta/columns.json: price.filter',
    )
  })
  test('more rows than could be held', async () => {
    const networks = Array.from({ length: 600 }, (_, place) => [`n${place}/apis`, [{ slug: 'a' }]] as const)
    const all = Array.from({ length: 1_000 }, (_, place) => ({ slug: `s${place}` }))
    expect(await refused(filesOf({ ...Object.fromEntries(networks), 'all/sdks': all }))).toContain(
      '600600 rows',
    )
  })
})
