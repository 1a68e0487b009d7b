import { expect, test } from 'bun:test'

import { makeSharedWorld, type PartMaker } from './shared-world.ts'

test('what cannot be made takes nothing away from the rest, which is removed at the end', async () => {
  const removed: string[] = []
  const maker = (name: string): PartMaker => ({
    name,
    variable: name.toUpperCase(),
    isForPrograms: false,
    make: async () => ({ value: `value of ${name}`, remove: () => void removed.push(name) }),
  })
  const broken: PartMaker = {
    name: 'programs',
    variable: 'PROGRAMS',
    isForPrograms: true,
    make: () => Promise.reject(new SyntaxError('Unexpected }')),
  }

  const world = await makeSharedWorld([broken, maker('database'), maker('template')])

  expect(world.environment).toEqual({ DATABASE: 'value of database', TEMPLATE: 'value of template' })
  expect(world.failures).toEqual([{ name: 'programs', error: new SyntaxError('Unexpected }') }])
  expect(removed).toEqual([])
  await world.stop()
  expect(removed.toSorted()).toEqual(['database', 'template'])
})
