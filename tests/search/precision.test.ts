import { beforeAll, describe, expect, test } from 'bun:test'

import { createChains } from '../../server/chains/chains.ts'
import { builtInFiles } from '../../server/registry/built-in.ts'
import { createRegistryQueries } from '../../server/registry/queries/queries.ts'
import type { SnapshotFile } from '../../server/registry/snapshot.ts'
import { readFolder } from '../../server/registry/sources/folder.ts'
import { loadFiles } from '../../server/registry/test-support/small-registry.ts'
import { realRegistry } from '../../scripts/world/real-registry.ts'
import { type JudgedQuestion, readQuestions } from './judgement.ts'
import { type Measured, isTuned, measurePrecision, summaryOf } from './precision.ts'

/**
 * Asks the questions of `questions.txt`, of which odd lines are for tuning and even ones are held out: whoever tunes the
 * search looks at the answers to odd ones only. Both halves have to stay above the bars.
 */
const folder = realRegistry()
if (folder === null) {
  process.stdout.write('skipped: the real registry is not here (GATEHOUSE_TEST_REGISTRY names its folder)\n')
}

const questions = readQuestions(await Bun.file(new URL('questions.txt', import.meta.url)).text())

async function measured(
  files: readonly SnapshotFile[],
  asked: readonly JudgedQuestion[],
): Promise<Measured[]> {
  const { index } = await loadFiles(files)
  const chains = createChains()
  if (!chains.ok) throw new Error('the built-in chains have mistakes')
  const nameOf = (key: string): string => chains.chains.get(key)?.name ?? key
  const queries = createRegistryQueries(index, nameOf, {
    isAny: () => false,
    linked: () => null,
    decisionOf: () => 'UNKNOWN',
  })
  return measurePrecision(asked, index, queries)
}

test('there are 120 questions or more, no two of them alike', () => {
  expect(questions.length).toBeGreaterThanOrEqual(120)
  expect(new Set(questions.map(({ text }) => text)).size).toBe(questions.length)
})

test('a result that does not answer, or is there twice, counts against a page', async () => {
  const [question] = readQuestions('wallet for solana | explorers\n')
  const [judged] = await measured(await builtInFiles(), question === undefined ? [] : [question])
  expect(judged?.inData).toBeGreaterThan(5)
  expect(judged?.precision).toBe(0)
})

const registries = [
  { name: 'the product`s own registry', files: builtInFiles, bar: 0.8, isHere: true },
  { name: 'a real registry', files: () => readFolder(folder ?? ''), bar: 0.7, isHere: folder !== null },
]

for (const { name, files, bar, isHere } of registries) {
  describe.skipIf(!isHere)(name, () => {
    let all: Measured[] = []
    beforeAll(async () => {
      all = await measured(await files(), questions)
    }, 60_000)

    test(`has a precision at five of ${bar} or more, on both halves of the questions`, () => {
      const halves = [summaryOf(all.filter(isTuned)), summaryOf(all.filter((one) => !isTuned(one)))]
      for (const half of halves) {
        process.stdout.write(`${name}: ${half.precision.toFixed(3)} of ${half.questions} questions\n`)
        expect(half.questions).toBeGreaterThanOrEqual(60)
        expect(half.precision).toBeGreaterThanOrEqual(bar)
      }
    })

    test('has no service twice in a page, and leaves no question without an answer that it has', () => {
      const { repeated, empty } = summaryOf(all)
      expect({ repeated, empty }).toEqual({ repeated: [], empty: [] })
    })
  })
}
