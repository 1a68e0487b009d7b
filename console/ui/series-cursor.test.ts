import { expect, test } from 'bun:test'

import { useSeriesCursor } from './series-cursor.ts'

const press = (key: string) => new KeyboardEvent('keydown', { key, cancelable: true })

test('keys step through a row and stay inside it', () => {
  const cursor = useSeriesCursor(() => 30)
  const after = (key: string) => {
    const event = press(key)
    cursor.onKey(event)
    return [cursor.place.value, event.defaultPrevented]
  }
  expect(after('ArrowLeft')).toEqual([28, true]) // from the newest on
  expect(after('ArrowRight')).toEqual([29, true])
  expect(after('ArrowRight')).toEqual([29, true])
  expect(after('PageDown')).toEqual([19, true])
  expect(after('Home')).toEqual([0, true])
  expect(after('ArrowDown')).toEqual([0, true])
  expect(after('End')).toEqual([29, true])
  expect(after('Tab')).toEqual([29, false])
  expect(after('Escape')).toEqual([null, false])
})

test('the pointer chooses by how far along it is', () => {
  const cursor = useSeriesCursor(() => 4)
  const at = (fraction: number) => {
    cursor.point(fraction)
    return cursor.place.value
  }
  expect([0, 0.24, 0.26, 0.999].map(at)).toEqual([0, 0, 1, 3])
  cursor.leave()
  expect(cursor.place.value).toBeNull()
})
