import { expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { runs, shuffled } from './test-support/arbitraries.ts'
import { type CheckpointHash, findForks } from './fork.ts'

const [main, other, third] = ['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb', 'cccccccccccccccc']

/** Hashes as `provider/service: hash`. */
const checkpoint = (...entries: [path: string, hash: string][]): CheckpointHash[] =>
  entries.map(([path, hash]) => ({ serviceId: path, provider: path.replace(/\/.*/, ''), hash }))

const verdict = (trueHash: string | null, ...forked: string[]) => ({ trueHash, forked: new Set(forked) })

test('the hash of more than half of the providers is true, services with another are forked', () => {
  expect(findForks(checkpoint(['a/1', main], ['b/1', main], ['c/1', other]))).toEqual(verdict(main, 'c/1'))
  expect(findForks(checkpoint(['a/1', main], ['b/1', main], ['c/1', main]))).toEqual(verdict(main))
})

test('half of the providers is not enough', () => {
  const even = checkpoint(['a/1', main], ['b/1', main], ['c/1', other], ['d/1', other])
  expect(findForks(even)).toEqual(verdict(null))
  const plurality = checkpoint(['a/1', main], ['b/1', main], ['c/1', other], ['d/1', third])
  expect(findForks(plurality)).toEqual(verdict(null))
})

test('fewer than three providers accuse nobody, however many services they have', () => {
  expect(findForks([])).toEqual(verdict(null))
  expect(findForks(checkpoint(['a/1', main], ['a/2', main], ['a/3', other]))).toEqual(verdict(null))
  expect(findForks(checkpoint(['a/1', main], ['a/2', main], ['b/1', other]))).toEqual(verdict(null))
  const agreeing = checkpoint(['a/1', main], ['a/2', main], ['a/3', other], ['b/1', main])
  expect(findForks(agreeing)).toEqual(verdict(null))
})

test('a provider has one vote, however many services it lists', () => {
  const listings = Array.from({ length: 50 }, (_, index): [string, string] => [`evil/${index}`, other])
  const found = findForks(checkpoint(['a/1', main], ['b/1', main], ...listings))
  expect(found.trueHash).toBe(main)
  expect(found.forked.size).toBe(50)
})

test('a provider votes as most of its services do, and its other services are judged one by one', () => {
  const mixed = checkpoint(['a/1', main], ['b/1', main], ['c/1', other], ['c/2', main], ['c/3', main])
  expect(findForks(mixed)).toEqual(verdict(main, 'c/1'))
  const decisive = checkpoint(['a/1', main], ['b/1', other], ['c/1', other], ['c/2', main], ['c/3', main])
  expect(findForks(decisive)).toEqual(verdict(main, 'b/1', 'c/1'))
})

test('a provider whose services disagree evenly has no vote but still counts', () => {
  const divided = checkpoint(['a/1', main], ['b/1', other], ['c/1', main], ['c/2', other])
  expect(findForks(divided)).toEqual(verdict(null))
  const halfOfAll = checkpoint(['a/1', main], ['b/1', main], ['c/1', other], ['d/1', main], ['d/2', other])
  expect(findForks(halfOfAll)).toEqual(verdict(null))
  const outvoted = checkpoint(['a/1', main], ['b/1', main], ['c/1', main], ['c/2', other])
  expect(findForks(outvoted)).toEqual(verdict(main, 'c/2'))
})

test('no minority of providers gets an honest service accused, in whatever order', () => {
  const honestProviders = fc.integer({ min: 1, max: 6 })
  const claims = fc.array(fc.constantFrom(main, other, third), { maxLength: 12 })
  const given = fc.tuple(honestProviders, claims).chain(([honest, claimed]) => {
    const honestHashes = Array.from({ length: honest }, (_, index): [string, string] => [`h${index}/1`, main])
    const lies = claimed.map((hash, index): [string, string] => [`l${index % honest}/${index}`, hash])
    const liars = honest === 1 ? [] : lies.filter(([path]) => !path.startsWith(`l${honest - 1}/`))
    return shuffled(checkpoint(...honestHashes, ...liars))
  })
  fc.assert(
    fc.property(given, (hashes) => {
      const found = findForks(hashes)
      for (const serviceId of found.forked) expect(serviceId.startsWith('l')).toBe(true)
      if (found.trueHash !== null) expect(found.trueHash).toBe(main)
    }),
    runs,
  )
})
