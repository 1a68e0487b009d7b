import { expect, test } from 'bun:test'

import { changeEach, chosenText, failureText } from './bulk-change.ts'

const services = Array.from({ length: 45 }, (_, place) => ({ id: `node-${place}`, name: `Node ${place}` }))

test('services are changed a request at a time, and one that fails keeps no other back', async () => {
  let underWay = 0
  let most = 0
  const { done, failed } = await changeEach(services, async (id) => {
    most = Math.max(most, ++underWay)
    await Promise.resolve()
    underWay--
    if (id === 'node-3') throw new Error('gone')
  })
  expect([done.length, most]).toEqual([44, 20])
  expect(failed.map(({ name }) => name)).toEqual(['Node 3'])
})

test('what is chosen is told by its name or by how many they are', () => {
  expect(chosenText(services.slice(0, 1))).toBe('“Node 0”')
  expect(chosenText(services.slice(0, 3))).toBe('3 services')
})

test('a reason that several have is told once', () => {
  const failed = ['gone', 'busy', 'gone', 'gone'].map((error, place) => ({ name: `Node ${place}`, error }))
  expect(failureText(failed, String)).toBe('“Node 0” and 2 more: gone “Node 1”: busy')
})
