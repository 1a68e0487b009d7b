import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomInt } from 'node:crypto'

import { type ReaderState, ResponseReader } from '../../server/platform/http-client/response-reader.ts'
import { needsNode } from '../support/needs.ts'
import { type FuzzedResponse, fuzzedResponse, randomOf } from './http-responses/fuzzed-response.ts'
import { startLlhttp, type Llhttp } from './http-responses/llhttp.ts'
import type { LlhttpVerdict } from './http-responses/llhttp-program.ts'

/** 1,000,000 by hand: `GATEHOUSE_FUZZ_RESPONSES=1000000 npm test -- http-response-fuzz`. */
const count = Number(process.env['GATEHOUSE_FUZZ_RESPONSES'] ?? 50_000)
const firstSeed = Number(process.env['GATEHOUSE_FUZZ_SEED'] ?? randomInt(2 ** 31))
const perBatch = 5_000

/** Responses that were read wrongly once. */
const kept: readonly string[] = [
  'HTTP/1.1 103 Wait\r\nconnection: close\r\n\r\nHTTP/1.1 200\r\ncontent-length: 5\r\n\r\nhello',
  'HTTP/1.1 200 OK\r\ncontent-length: 40\t\r\n\r\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
]

/** What our reader made of the bytes of a connection that is closed behind them. */
type Verdict = Omit<LlhttpVerdict, 'head'> & { readonly fields: readonly string[] }

function read({ bytes, isBodiless }: FuzzedResponse, cuts: readonly number[]): Verdict {
  const reader = new ResponseReader()
  const parts: Buffer[] = []
  let status = 0
  let fields: string[] = []
  reader.begin(
    {
      head(head) {
        status = head.status
        fields = head.fields.flat()
        return null
      },
      part(part) {
        parts.push(part)
        return null
      },
    },
    isBodiless,
  )
  let state: ReaderState = 'more'
  let from = 0
  for (const to of [...cuts, bytes.length]) {
    if (state !== 'more' || to <= from) continue
    state = reader.take(Buffer.from(bytes.subarray(from, to)))
    from = to
  }
  // What is behind the end in a later piece would close the connection just as well.
  const hasMore = from < bytes.length
  if (state === 'more') state = reader.takeClose()
  const isWhole = state === 'done'
  const body = Buffer.concat(parts).toString('base64')
  return isWhole
    ? { isWhole, status, fields, body, keepsAlive: reader.keepsAlive && !hasMore }
    : { isWhole, status: 0, fields: [], body: '', keepsAlive: false }
}

const headOf = (fields: readonly string[]): string =>
  Buffer.from(fields.join('\n'), 'latin1').toString('base64')

/** How ours is laxer than llhttp; null: it is not. It may be stricter. */
function laxity(ours: Verdict, theirs: LlhttpVerdict): string | null {
  if (!ours.isWhole) return null
  if (!theirs.isWhole) return 'llhttp refuses it'
  if (ours.status !== theirs.status) return `status ${ours.status}, for llhttp ${theirs.status}`
  if (ours.body !== theirs.body) return 'another body'
  if (headOf(ours.fields) !== theirs.head) return 'other headers'
  return ours.keepsAlive && !theirs.keepsAlive ? 'kept, for llhttp closed' : null
}

function cutsOf(seed: number, length: number): number[] {
  const random = randomOf(seed ^ 0x5eed)
  return Array.from({ length: Math.floor(random() * 6) }, () => Math.floor(random() * length)).toSorted(
    (a, b) => a - b,
  )
}

const everyByte = (length: number): number[] => Array.from({ length }, (_, place) => place)

function problemOf(seed: number, response: FuzzedResponse, theirs: LlhttpVerdict): string | null {
  const ours = read(response, [])
  const laxer = laxity(ours, theirs)
  if (laxer !== null) return laxer
  const { length } = response.bytes
  const others = [cutsOf(seed, length), ...(seed % 8 === 0 ? [everyByte(length)] : [])]
  return others.every((cuts) => Bun.deepEquals(read(response, cuts), ours)) ? null : 'depends on its pieces'
}

const responsesFrom = (seed: number, length: number): FuzzedResponse[] =>
  Array.from({ length }, (_, place) => fuzzedResponse(seed + place))

describe.skipIf(!needsNode())('responses of which some are HTTP', () => {
  let llhttp: Llhttp

  beforeAll(async () => {
    llhttp = await startLlhttp()
  })
  afterAll(() => llhttp.stop())

  async function problemsOf(
    responses: readonly FuzzedResponse[],
  ): Promise<{ problems: string[]; whole: number; ours: number }> {
    const verdicts = await llhttp.read(responses)
    const problems: string[] = []
    for (const [place, response] of responses.entries()) {
      const theirs = verdicts[place]
      const problem = theirs === undefined ? 'no verdict' : problemOf(place, response, theirs)
      if (problem !== null) problems.push(`${problem}: ${JSON.stringify(response.bytes.toString('latin1'))}`)
    }
    const whole = verdicts.filter(({ isWhole }) => isWhole).length
    return { problems, whole, ours: responses.filter((response) => read(response, []).isWhole).length }
  }

  test('are read no laxer than llhttp reads them, however they are cut', async () => {
    process.stdout.write(`first seed ${firstSeed} (GATEHOUSE_FUZZ_SEED=${firstSeed} repeats this run)\n`)
    let [whole, ours] = [0, 0]
    for (let done = 0; done < count; done += perBatch) {
      const found = await problemsOf(responsesFrom(firstSeed + done, Math.min(perBatch, count - done)))
      expect(found.problems.slice(0, 10)).toEqual([])
      whole += found.whole
      ours += found.ours
    }
    process.stdout.write(`of ${count}, llhttp reads ${whole} and ours ${ours}\n`)
    // Neither the generator nor our reader makes it easy by having nearly everything refused.
    expect(whole / count).toBeGreaterThan(0.25)
    expect(ours / whole).toBeGreaterThan(0.7)
  }, 1_800_000)

  test('that were read wrongly once are not any more', async () => {
    const responses = kept.map((text) => ({ bytes: Buffer.from(text, 'latin1'), isBodiless: false }))
    expect((await problemsOf(responses)).problems).toEqual([])
  })
})
