import { expect, test } from 'bun:test'

import { startChild } from './child-process.ts'
import { waitUntil } from './wait-until.ts'

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('a child is gone after stop, even a paused one', async () => {
  const child = startChild(['sleep', '600'])
  expect(isAlive(child.pid)).toBe(true)
  child.pause()
  await child.stop()
  expect(isAlive(child.pid)).toBe(false)
  expect(child.isRunning()).toBe(false)
})

test('a child does not outlive the process that started it, not even when that one is killed', async () => {
  const program = `
    const { startChild } = await import(${JSON.stringify(`${import.meta.dir}/child-process.ts`)})
    process.stdout.write(String(startChild(['sleep', '600']).pid))
    await Bun.sleep(600_000)`
  const parent = startChild([process.execPath, '-e', program])
  try {
    await waitUntil('the child is started', () => /^\d+$/.test(parent.output()))
    const pid = Number(parent.output())
    expect(isAlive(pid)).toBe(true)
    await parent.stop()
    await waitUntil('the child is gone', () => !isAlive(pid))
  } finally {
    await parent.stop()
  }
})
