import { expect, test } from 'bun:test'

import { type Storages, keepChoice, readChoice } from './chosen-team.ts'

function storage() {
  const items = new Map<string, string>()
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  }
}

test('a tab keeps its choice, and a new tab begins with the last one', () => {
  const browser = storage()
  const tab = (): Storages => ({ tab: storage(), browser })
  const [one, other] = [tab(), tab()]
  expect(readChoice(one)).toBeNull()
  keepChoice(one, 'acc_team')
  expect([readChoice(one), readChoice(tab())]).toEqual(['acc_team', 'acc_team'])
  keepChoice(other, null)
  expect([readChoice(one), readChoice(other), readChoice(tab())]).toEqual(['acc_team', null, null])
})
