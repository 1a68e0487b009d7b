import { expect, test } from 'bun:test'

import { parsePolicyFlags } from './policy-flags.ts'

test('numbers, null and words are told apart', () => {
  const flags = ['enterBlocks=5', 'exitRatio=0.5', 'minLive=null', 'quorum=bft']
  expect(parsePolicyFlags(flags)).toEqual({
    kind: 'values',
    values: { enterBlocks: 5, exitRatio: 0.5, minLive: null, quorum: 'bft' },
  })
})

test('a key that objects have anyway is an ordinary one', () => {
  const flags = parsePolicyFlags(['constructor=5'])
  expect(flags.kind === 'values' && Object.entries(flags.values)).toEqual([['constructor', 5]])
})

test.each(['enterBlocks', 'enterBlocks=', '=5', 'enter blocks=5'])('%s is no policy', (flag) => {
  expect(parsePolicyFlags([flag])).toEqual({
    kind: 'wrong',
    message: `--policy ${flag}: expected key=value, for instance enterBlocks=5`,
  })
})

test('a key may stand only once', () => {
  expect(parsePolicyFlags(['enterSec=1', 'enterSec=2'])).toEqual({
    kind: 'wrong',
    message: '--policy enterSec is given twice',
  })
})
