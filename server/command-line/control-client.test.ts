import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { privateFolder } from '../config/data-folder.ts'
import { serveControlSocket } from '../platform/http/control-socket.ts'
import { requestBackup, requestReadiness } from './control-client.ts'

/** Serves the control socket of a data folder with one answer, and returns what a request for it comes to. */
async function outcomeOf(answer: Response | Promise<Response>, ask: (dataDir: string) => Promise<unknown>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-control-'))
  const control = serveControlSocket(privateFolder(dataDir), () => answer)
  try {
    return { dataDir, result: await ask(dataDir).catch((error: unknown) => error) }
  } finally {
    await control.stop()
    rmSync(dataDir, { recursive: true })
  }
}

test.each([requestReadiness, requestBackup])(
  'while no worker serves, a command says so, and where to read why',
  async (ask) => {
    const { dataDir, result } = await outcomeOf(new Response('no worker serves yet', { status: 503 }), ask)
    expect(result).toMatchObject({
      name: 'CommandFailure',
      message: `no worker of the server on the data folder ${dataDir} serves now: it is starting, or its log says why`,
    })
  },
)

test('a server that is not ready says itself why', async () => {
  const { result } = await outcomeOf(
    Response.json({ status: 'not_ready' }, { status: 503 }),
    requestReadiness,
  )
  expect(result).toHaveProperty('status', 503)
})

test.each([requestReadiness, requestBackup])(
  'a server that takes connections and stands still is not waited for',
  async (ask) => {
    const { promise: later, resolve: goOn } = Promise.withResolvers<Response>()
    const { dataDir, result } = await outcomeOf(later, async (folder) => {
      try {
        return await ask(folder, 50)
      } finally {
        goOn(new Response())
      }
    })
    expect(result).toMatchObject({
      name: 'CommandFailure',
      message: `the server on the data folder ${dataDir} does not answer; it may be stopping, or stand still`,
    })
  },
)

test('a backup may take longer to begin than a probe', async () => {
  const { promise: backup, resolve: begin } = Promise.withResolvers<Response>()
  const asked: string[] = []
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-control-'))
  const control = serveControlSocket(privateFolder(dataDir), ({ url }) => {
    asked.push(new URL(url).pathname)
    return url.endsWith('/backup') ? backup : Response.json({ status: 'ready' })
  })
  try {
    const made = requestBackup(dataDir, 1_000)
    const probeTime = AbortSignal.timeout(1_000)
    await waitUntil('the backup is asked for', () => asked.includes('/backup'))
    await waitUntil('the time of a probe is over', () => probeTime.aborted)
    begin(new Response('rows'))
    expect(await new Response(await made).text()).toBe('rows')
    expect(asked).toEqual(['/readyz', '/backup'])
  } finally {
    await control.stop()
    rmSync(dataDir, { recursive: true })
  }
})
