import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import * as z from 'zod/mini'

import { startLitecoin } from '../../scripts/world/litecoin.ts'
import type { Litecoin } from '../../scripts/world/litecoin.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { needs } from '../support/needs.ts'
import { chainOf, impatient, startLoopbackRunner, probeTargetOf } from '../support/probing.ts'

/** Bitcoin-family probes against real nodes. Litecoin Core 0.21 is of the age that gives `mediantime` only. */

const Header = z.object({ time: z.int(), mediantime: z.int() })

const hashAt = async (node: Litecoin, height: number) =>
  z.string().parse(await node.rpc('getblockhash', [height]))

describe.skipIf(!needs('litecoind'))('litecoind', () => {
  const { runner, close } = startLoopbackRunner()
  let left: Litecoin
  let right: Litecoin

  beforeAll(async () => {
    left = await startLitecoin()
    right = await startLitecoin({ connectTo: left })
    await left.mine(30)
    await waitUntil('both nodes have 30 blocks', async () => (await right.rpc('getblockcount')) === 30)
  }, 30_000)
  afterAll(async () => {
    close()
    await Promise.all([left?.stop(), right?.stop()])
  })

  const probe = (url: string, chainId = 'regtest', timeoutMs = 5000) =>
    runner.probeHead(impatient(probeTargetOf('bitcoin', url), timeoutMs), chainOf('bitcoin', chainId))

  test('head, old hashes and genesis are those of the node', async () => {
    const best = await hashAt(left, 30)
    const header = Header.parse(await left.rpc('getblockheader', [best]))
    expect(header.mediantime).toBeLessThan(header.time)
    const head = { height: 30, timestamp: header.time, hash8: best.slice(-16) }
    expect(await probe(left.url)).toMatchObject({ ok: true, error: null, head })

    const target = probeTargetOf('bitcoin', left.url)
    expect(await runner.probeCheckpoint(target, 17)).toBe((await hashAt(left, 17)).slice(-16))
    expect(await runner.probeCheckpoint(target, 31)).toBeNull()
    expect(await runner.probeGenesis(target)).toBe(await hashAt(left, 0))
  })

  test('another chain is WRONG_CHAIN', async () => {
    expect(await probe(left.url, 'main')).toMatchObject({ ok: true, error: 'WRONG_CHAIN' })
  })

  test('a wrong password is HTTP_4XX; a header of the service serves as well as the address', async () => {
    const address = new URL(left.url)
    const { username, password } = address
    address.password = 'wrong'
    expect(await probe(address.href)).toMatchObject({ ok: false, error: 'HTTP_4XX' })

    address.username = ''
    address.password = ''
    const headers = { Authorization: `Basic ${btoa(`${username}:${password}`)}` }
    const target = probeTargetOf('bitcoin', address.href, { headers })
    expect(await runner.probeHead(target, null)).toMatchObject({ ok: true, head: { height: 30 } })
  })

  test('a node without network lags, and catches up', async () => {
    await right.rpc('setnetworkactive', [false])
    // It answers before the connections are closed, and what is mined until then still gets across.
    await waitUntil('both know of no other', async () => {
      const counts = [await left.rpc('getconnectioncount'), await right.rpc('getconnectioncount')]
      return counts.every((count) => count === 0)
    })
    await left.mine(5)
    expect(await probe(left.url)).toMatchObject({ head: { height: 35 } })
    expect(await probe(right.url)).toMatchObject({ ok: true, head: { height: 30 } })

    await right.rpc('setnetworkactive', [true])
    await waitUntil('the second node has caught up', async () => (await right.rpc('getblockcount')) === 35)
    const [ours, theirs] = await Promise.all([probe(left.url), probe(right.url)])
    expect({ ...theirs, rttMs: 0 }).toEqual({ ...ours, rttMs: 0 })
  }, 30_000)

  test('a paused node is TIMEOUT, a resumed one answers', async () => {
    left.pause()
    try {
      expect(await probe(left.url, 'regtest', 150)).toMatchObject({ ok: false, error: 'TIMEOUT' })
    } finally {
      left.resume()
    }
    expect(await probe(left.url)).toMatchObject({ ok: true })
  })
})
