import { expect, test } from 'bun:test'

import { parseKeyValues } from './key-value-flags.ts'

const policy = { name: 'policy', example: 'enterBlocks=5' }

test('numbers, null and words are told apart', () => {
  const flags = ['enterBlocks=5', 'exitRatio=0.5', 'minLive=null', 'quorum=bft']
  expect(parseKeyValues(policy, flags)).toEqual({
    kind: 'values',
    values: { enterBlocks: 5, exitRatio: 0.5, minLive: null, quorum: 'bft' },
  })
})

test('text is text where it is asked for', () => {
  const flags = { name: 'rule', example: 'contains=ok', textKeys: ['contains'] }
  expect(parseKeyValues(flags, ['contains=5', 'json.min=5', 'json.equals=true'])).toEqual({
    kind: 'values',
    values: { contains: '5', 'json.min': 5, 'json.equals': true },
  })
})

test('a key that objects have anyway is an ordinary one', () => {
  const flags = parseKeyValues(policy, ['constructor=5'])
  expect(flags.kind === 'values' && Object.entries(flags.values)).toEqual([['constructor', 5]])
})

test.each(['enterBlocks', 'enterBlocks=', '=5', 'enter blocks=5'])('%s is no policy', (flag) => {
  expect(parseKeyValues(policy, [flag])).toEqual({
    kind: 'wrong',
    message: `--policy ${flag}: expected key=value, for instance enterBlocks=5`,
  })
})

test('a key may stand only once', () => {
  expect(parseKeyValues(policy, ['enterSec=1', 'enterSec=2'])).toEqual({
    kind: 'wrong',
    message: '--policy enterSec is given twice',
  })
})
