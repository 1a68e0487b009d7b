import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { consoleClient } from '../support/console-client.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { livePath, liveStreams, mostLiveStreams } from '../support/live-streams.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import type { SignedInClient } from '../../scripts/world/signed-in-client.ts'

/** How many live views of the console one account may have open, over HTTP. */

let installation: TestInstallation
let server: GatehouseProcess
let ada: SignedInClient
const streams = liveStreams()

beforeAll(async () => {
  installation = await createTestInstallation({ verifiers: { builtIn: false } })
  server = await installation.start()
})
beforeEach(async () => {
  ada = await signInAt(server.url)
})
afterEach(() => streams.closeAll())
afterAll(() => installation?.remove())

const lists = Array.from({ length: mostLiveStreams }, () => 'list')
const fill = async (): Promise<void> => expect(await streams.fill(ada.send)).toEqual(lists)
const begin = (send = ada.send): Promise<string> => streams.begin(send)
const untilThereIsRoom = (): Promise<void> =>
  waitUntil('there is room again', async () => (await begin()) === 'list')

test('one more than an account may have is refused with what to do, whichever browser it comes from', async () => {
  await fill()
  const errors: unknown[] = []
  const elsewhere = await signInAt(server.url, ada.wallet)
  consoleClient(elsewhere).services.live.subscribe(undefined, {
    onError: (error) => void errors.push(error),
  })
  await waitUntil('it is refused', () => errors.length > 0)
  expect(errors).toMatchObject([
    {
      message: 'This account has 20 live views open, which is as many as it may: close some of them',
      data: { code: 'TOO_MANY_REQUESTS', fault: 'rate_limited' },
    },
  ])
  expect(await begin((await signInAt(server.url)).send)).toBe('list') // somebody else
  expect((await ada.query('services.list')).status).toBe(200)
})

test('what one closes is room for another', async () => {
  await fill()
  expect(await begin()).toBe('rate_limited')
  streams.closeOne()
  await untilThereIsRoom()
  expect(await begin()).toBe('rate_limited')
})

test('so is what a browser had that is gone without a word', async () => {
  const sockets = await openSockets()
  expect(await begin()).toBe('rate_limited')
  for (const socket of sockets) socket.terminate()
  await waitUntil('all of it is free', async () => {
    const begun = await streams.fill(ada.send)
    if (begun.every((what) => what === 'list')) return true
    streams.closeAll()
    return false
  })
})

test('and what ended with a session', async () => {
  await fill()
  const elsewhere = await signInAt(server.url, ada.wallet)
  expect((await elsewhere.mutate('accounts.endOtherSessions')).status).toBe(200)
  await waitUntil('there is room', async () => (await begin(elsewhere.send)) === 'list')
  expect(await begin()).toBe('unauthorized')
})

test('whoever is not signed in is refused for that, and takes nobody’s room', async () => {
  for (let count = 0; count <= mostLiveStreams; count++)
    expect(await begin(sendAsNobody)).toBe('unauthorized')
  await fill()
})

const sendAsNobody: SignedInClient['send'] = (place, init) => fetch(`${server.url}${place}`, init)

/** As many streams as there may be, each over a connection that can be cut. */
async function openSockets() {
  const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const { hostname, port, host } = new URL(server.url)
  const request = `GET ${livePath} HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookie}\r\naccept: text/event-stream\r\n\r\n`
  const heard = lists.map(() => '')
  const opening = heard.map((_, index) =>
    Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        open: (socket) => void socket.write(request),
        data: (_socket, chunk) => void (heard[index] += chunk.toString()),
      },
    }),
  )
  const sockets = await Promise.all(opening)
  await waitUntil('all of them follow', () => heard.every((text) => text.includes('"listVersion"')))
  return sockets
}
