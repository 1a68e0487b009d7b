import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { privateFolder } from '../config/data-folder.ts'
import { serveControlSocket } from '../platform/http/control-socket.ts'
import { requestBackup, requestReadiness } from './control-client.ts'

/** Serves the control socket of a data folder with one answer, and returns what a request for it comes to. */
async function outcomeOf(answer: Response, ask: (dataDir: string) => Promise<unknown>) {
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
