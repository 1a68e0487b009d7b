import { expect, test } from 'bun:test'

import { findFreePort } from './free-port.ts'

const some = 100

test('no port is given twice, nor to two processes that run beside each other', async () => {
  const program = `
    import { findFreePort } from ${JSON.stringify(`${import.meta.dir}/free-port.ts`)}
    console.log(JSON.stringify(await Promise.all(Array.from({ length: ${some} }, findFreePort))))`
  const own = await Promise.all(Array.from({ length: some }, findFreePort))
  const other = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe' })
  const theirs: number[] = await new Response(other.stdout).json()
  expect(new Set([...own, ...theirs]).size).toBe(2 * some)
})
