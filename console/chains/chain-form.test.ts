import { expect, test } from 'bun:test'

import { chainFormOf, emptyChainForm, isFamilyOfChains, readChain } from './chain-form.ts'

const evm = { chainIdForm: 'integer', genesisHashForm: '0x and 64 lowercase hex digits' } as const
const form = { ...emptyChainForm(), key: 'my-rollup', name: 'My rollup' }

test('what is left empty is as usual for the family', () => {
  const read = readChain({ ...form, chainId: ' 424242 ', blockMs: '2000' }, evm, null)
  expect(read).toEqual({
    kind: 'value',
    value: { key: 'my-rollup', name: 'My rollup', family: 'evm', chainId: 424_242, blockMs: 2_000 },
  })
})

test('a chain that is edited keeps the reference nodes that the form does not show', () => {
  const anchors = [{ provider: 'acme', endpoint: 'https://node.example' }]
  const before = {
    key: 'my-rollup',
    name: 'My rollup',
    family: 'near',
    chainId: 'localnet',
    anchors,
  } as const
  const text = { chainIdForm: 'text', genesisHashForm: null } as const
  const edited = {
    ...chainFormOf({ ...before, anchors: [...anchors] }),
    genesisHash: 'typed before',
    headAge: 'none',
  } as const
  expect(readChain(edited, text, { ...before, anchors: [...anchors] })).toEqual({
    kind: 'value',
    value: { ...before, headAge: 'none' },
  })
})

test('what is wrong stands at its field', () => {
  expect(readChain(emptyChainForm(), evm, null)).toMatchObject({
    errors: { key: 'Required.', name: 'Required.' },
  })
  expect(readChain({ ...form, key: 'My Chain', blockMs: '1.5', chainId: 'one' }, evm, null)).toMatchObject({
    kind: 'wrong',
    errors: {
      key: expect.stringContaining('lowercase'),
      blockMs: expect.any(String),
      chainId: expect.any(String),
    },
  })
})

test('a chain is of no family that only reads the chain of another one', () => {
  expect(
    ['evm', 'cosmos', 'cosmos-rest', 'tron', 'subgraph', 'http'].map((family) =>
      isFamilyOfChains(family as 'evm'),
    ),
  ).toEqual([true, true, false, false, false, false])
})
