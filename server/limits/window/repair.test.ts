import { describe, expect, test } from 'bun:test'

import type { Limit } from '../../../shared/limits.ts'
import { createDecisionLog } from '../test-support/decision-log.ts'
import { seededRandom } from '../test-support/arrivals.ts'
import { cellsFor, repair, take, used, waitFor, type Window, windowOver } from './window.ts'

class Killed extends Error {}

/** Lanes of a process that dies just before its `last`-th write. */
function dyingLanes(cells: Float64Array, last: number): Float64Array {
  let writes = 0
  const write = (): void => {
    if (++writes > last) throw new Killed()
  }
  return new Proxy(cells, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (name !== 'fill') return typeof value === 'function' ? value.bind(target) : value
      return (filling: number) => {
        for (let cell = 0; cell < target.length; cell++) {
          write()
          target[cell] = filling
        }
      }
    },
    set(target, name, value) {
      write()
      return Reflect.set(target, name, value, target)
    },
  })
}

describe('lanes of a process that was killed between two writes', () => {
  const limits: Limit[] = [
    { units: 40, period: 'minute' },
    { units: 1_025, period: 'minute' },
  ]

  test.each(limits)('are a window again: no unit is lost, and no interval gets above $units', (limit) => {
    for (let seed = 1; seed <= 400; seed++) {
      const random = seededRandom(seed)
      const cells = new Float64Array(cellsFor(limit))
      const log = createDecisionLog()
      let window: Window = windowOver(limit, cells)
      let now = 1
      for (let life = 0; life < 4; life++) {
        const dying = windowOver(limit, dyingLanes(cells, Math.floor(random() * 200)))
        try {
          for (let call = 0; call < 60; call++) {
            now += Math.floor(random() ** 3 * window.periodMicros * 0.4)
            const cost = Math.ceil(random() ** 2 * limit.units * 0.5)
            if (waitFor(dying, cost, now) > 0) continue
            take(dying, cost, now)
            log.add(now, cost)
          }
        } catch (error) {
          if (!(error instanceof Killed)) throw error
        }
        window = windowOver(limit, cells)
        repair(window)
        expect(used(window, now)).toBeGreaterThanOrEqual(log.since(now - window.periodMicros))
        const later = { ...window, cells: cells.slice() }
        expect(waitFor(later, limit.units, now + window.periodMicros + window.bucketMicros)).toBe(0)
      }
      expect(log.mostIn(window.periodMicros)).toBeLessThanOrEqual(limit.units)
    }
  })
})
