import { expect, test } from 'bun:test'
import { join } from 'node:path'

test('output that cannot be written is a failure, which one sentence tells', () => {
  const main = join(import.meta.dirname, 'main.ts')
  const command = ['sh', '-c', '"$0" "$@" > /dev/full', process.execPath, main, '--help']
  const { exitCode, stderr } = Bun.spawnSync(command)
  expect(stderr.toString()).toBe('gatehouse: the output could not be written: ENOSPC\n')
  expect(exitCode).toBe(1)
})
