import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { excessWidth, looks, startConsole, violationsOn } from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { liveStreams } from '../support/live-streams.ts'
import { needs } from '../support/needs.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'

const isReady = needs('chromium-headless-shell')

describe.skipIf(!isReady)('a live view that is one too many', () => {
  let subject: ConsoleUnderTest
  const streams = liveStreams()

  beforeAll(async () => {
    const site = {
      id: 'site',
      name: 'Site',
      family: 'http',
      provider: 'acme',
      endpoint: 'http://127.0.0.1:9/',
    }
    subject = await startConsole({ services: [site] })
    const { send } = await signInAt(subject.server.url, subject.operator)
    await streams.fill(send)
  })
  afterAll(async () => {
    streams.closeAll()
    await subject?.stop()
  })

  test.each([...looks])(
    'shows the list, and says why it does not move and what to do: $name',
    async (look) => {
      const { page, open, complaints } = await subject.visit(subject.operator, look)
      await open('/services', 'Services')
      await page.getByRole('row').filter({ hasText: 'Site' }).waitFor()
      await page.getByRole('status').filter({ hasText: 'Not live: your account has too many' }).waitFor()
      expect(await violationsOn(page)).toEqual([])
      expect({ excess: await excessWidth(page), complaints }).toEqual({ excess: 0, complaints: [] })
    },
  )

  test('moves again when others are closed', async () => {
    const { page, open } = await subject.visit(subject.operator)
    await open('/services', 'Services')
    await page.getByRole('status').filter({ hasText: 'Not live' }).waitFor()
    streams.closeAll()
    await page.reload()
    await page
      .getByRole('status')
      .filter({ hasText: /^Live$/ })
      .waitFor()
  })
})
