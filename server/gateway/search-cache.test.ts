import { expect, test } from 'bun:test'

import { createSearchCache } from './search-cache.ts'
import { findServices } from './next-actions.ts'
import { toolAnswer, toolRefusal } from './tool-result.ts'

function memoryAt() {
  let now = 0
  let worked = 0
  const memory = createSearchCache({ monotonic: () => now })
  const ask = (question: string) =>
    memory.getOrCompute(question, () =>
      toolAnswer({ text: `${question} ${++worked}`, next_actions: [findServices] }),
    )
  return { ask, memory, pass: (ms: number) => void (now += ms), worked: () => worked }
}

test('the same question within a second has the same answer, another has its own', () => {
  const { ask, pass } = memoryAt()
  const first = ask('a')
  pass(999)
  expect(ask('a')).toBe(first)
  expect(ask('b')).not.toEqual(first)
  pass(1)
  expect(ask('a')).not.toBe(first)
})

test('refusals and long questions are not kept, and there are never too many answers', () => {
  const { ask, memory, worked } = memoryAt()
  const refused = toolRefusal('unknown_chain', 'There is no such chain', [findServices])
  expect(memory.getOrCompute('refused', () => refused)).toBe(refused)
  expect(ask('refused')).toMatchObject({ kind: 'answer' })
  const long = 'x'.repeat(1_001)
  expect(ask(long)).not.toBe(ask(long))
  const before = worked()
  for (let index = 0; index < 1_001; index++) ask(`q${index}`)
  ask('q1000')
  expect(worked() - before).toBe(1_001)
  ask('q0')
  expect(worked() - before).toBe(1_002)
})
