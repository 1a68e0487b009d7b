import { expect, test } from 'bun:test'

import { readPolicyFlags } from './policy-flags.ts'

test('numbers, null and words are told apart', () => {
  const flags = ['enterBlocks=5', 'exitRatio=0.5', 'minLive=null', 'quorum=bft']
  expect(readPolicyFlags(flags)).toEqual({
    kind: 'values',
    values: { enterBlocks: 5, exitRatio: 0.5, minLive: null, quorum: 'bft' },
  })
})

test('a key that objects have anyway is an ordinary one', () => {
  const flags = readPolicyFlags(['constructor=5'])
  expect(flags.kind === 'values' && Object.entries(flags.values)).toEqual([['constructor', 5]])
})

test.each(['enterBlocks', 'enterBlocks=', '=5', 'enter blocks=5'])('%s is no policy', (flag) => {
  expect(readPolicyFlags([flag])).toEqual({
    kind: 'wrong',
    message: `--policy ${flag}: expected key=value, for instance enterBlocks=5`,
  })
})

test('a key may stand only once', () => {
  expect(readPolicyFlags(['enterSec=1', 'enterSec=2'])).toEqual({
    kind: 'wrong',
    message: '--policy enterSec is given twice',
  })
})
