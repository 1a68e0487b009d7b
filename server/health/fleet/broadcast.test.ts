import { afterEach, expect, test } from 'bun:test'

import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { nextTurn } from '../../platform/turns.ts'
import { createLog } from '../../platform/log.ts'
import { createBroadcast, type Broadcast } from './broadcast.ts'
import { readOwnersText } from './messages.ts'

const lineOf = (serviceId: string): string => JSON.stringify({ kind: 'decisions', healths: [{ serviceId }] })
const started: Broadcast[] = []
afterEach(() => started.splice(0).forEach((broadcast) => broadcast.stop()))

/** A broadcast to one process, which has the snapshot, and what it received since. */
async function createSubject() {
  const received: string[] = []
  const broadcast = createBroadcast({
    link: {
      others: () => [{ id: 'other' }],
      send: (_id, { body }) => {
        const { messages } = readOwnersText(String(body))
        for (const message of messages)
          if (message.kind === 'decisions')
            received.push(...message.healths.map(({ serviceId }) => serviceId))
        return Promise.resolve(new Response(null, { status: 204 }))
      },
    },
    held: () => ({ holder: 'me', epoch: 1 }),
    snapshot: () => [lineOf('known')],
    overtaken: () => undefined,
    log: createLog({ level: 'error' }),
  })
  started.push(broadcast)
  broadcast.start()
  await waitUntil('the other process has the snapshot', () => received.length > 0)
  return { broadcast, received }
}

test('what is in a hurry does not wait for the next round, and takes along what does', async () => {
  const { broadcast, received } = await createSubject()
  broadcast.add(() => lineOf('first'))
  broadcast.add(() => lineOf('second'))
  broadcast.hurry()
  broadcast.hurry()
  await nextTurn()
  await nextTurn()
  expect(received).toEqual(['known', 'first', 'second'])
})

test('the rest is sent with the next round', async () => {
  const { broadcast, received } = await createSubject()
  broadcast.add(() => lineOf('patient'))
  expect(received).toEqual(['known'])
  await waitUntil('the round has come', () => received.includes('patient'))
})
