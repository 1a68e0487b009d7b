import { expect, test } from 'bun:test'

import { fault } from '../platform/fault.ts'
import { greeting } from './greeting.ts'

const url = 'http://127.0.0.1:3000'
const greetingWith = (setupLink: () => Promise<string | null>): Promise<string> =>
  greeting({
    installation: { address: () => url },
    accounts: { setupLink },
    file: { exists: true, path: 'gatehouse.yaml' },
    health: { services: { list: () => [] } },
  })

test('the link for the first operator is shown until there is one', async () => {
  expect(await greetingWith(() => Promise.resolve(`${url}/sign-in#setup=abc`))).toContain(
    `First operator  ${url}/sign-in#setup=abc`,
  )
  const known = await greetingWith(() => Promise.resolve(null))
  expect(known).toContain(`Console         ${url}`)
  expect(known).not.toContain('First operator')
})

test('a database that stops answering once everything is served ends nothing', async () => {
  const told = await greetingWith(() => Promise.reject(fault('unavailable', 'The database does not answer')))
  expect(told).toContain(`Console         ${url}\n                  the database does not answer`)
  const mistake = greetingWith(() => Promise.reject(new Error('a mistake')))
  await expect(mistake).rejects.toThrow('a mistake')
})
