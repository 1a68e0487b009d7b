import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { createStreamPlaces } from './stream-places.ts'

test('each has so many, and one that is given back can be taken again', () => {
  const places = createStreamPlaces(2)
  const [first, second] = [places.take('ada'), places.take('ada')]
  expect([first, second]).not.toContain(null)
  expect(places.take('ada')).toBeNull()
  expect(places.take('bob')).not.toBeNull()
  first?.()
  expect(places.take('ada')).not.toBeNull()
  expect(places.take('ada')).toBeNull()
})

test('never more are open than there are places, however often one is given back', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(9))), (steps) => {
      const places = createStreamPlaces(3)
      const given: { giveBack: () => void; isOpen: boolean }[] = []
      for (const step of steps) {
        const open = given.filter(({ isOpen }) => isOpen).length
        const one = step === null ? undefined : given[step]
        if (one !== undefined) {
          one.giveBack()
          one.isOpen = false
        } else {
          const giveBack = places.take('ada')
          expect(giveBack === null).toBe(open === 3)
          if (giveBack !== null) given.push({ giveBack, isOpen: true })
        }
      }
    }),
  )
})
