import { repeat } from '../../scripts/world/repeating.ts'
import type { ObservationRow, Round, Target } from '../../shared/verifier-protocol.ts'
import { enrolWireVerifier, roundOf } from '../../scripts/world/wire-verifier.ts'
import type { WireVerifier } from '../../scripts/world/wire-verifier.ts'

/** A verifier that lies about everything, with a good key and good manners. */
export interface EvilVerifier {
  readonly id: string
  /** Batches that the server took. */
  accepted(): number
  /** Answers of the server to the others. */
  readonly refusals: readonly string[]
  stop(): Promise<void>
}

const everyMs = 700
const fantasyBlocks = 31_000_000
const fantasySec = 3_600

/**
 * Reports as often as it may: first a round in which every service is 31 million blocks ahead, an hour in the future,
 * and forked from every other; then one in which services that answer are dead, and dead ones are perfect.
 */
export async function startEvilVerifier(url: string, token: string): Promise<EvilVerifier> {
  const verifier = await enrolWireVerifier(url, token, 'evil')
  const refusals: string[] = []
  let accepted = 0

  async function lie(): Promise<void> {
    try {
      const response = await reportLies(verifier)
      if (response.ok) accepted += 1
      else refusals.push(`${response.status} ${await response.text()}`)
    } catch (error) {
      refusals.push(String(error))
    }
  }
  const lying = repeat(lie, everyMs)

  return {
    id: verifier.id,
    accepted: () => accepted,
    refusals,
    stop: () => lying.stop(),
  }
}

async function reportLies(verifier: WireVerifier): Promise<Response> {
  const { targets } = await verifier.assignments()
  const heads = await Promise.all(targets.map(headOf))
  const chain = targets[0]?.chain ?? null
  return verifier.report({
    services: targets.map(({ serviceId }) => serviceId),
    rounds: [fantasyRound(chain, heads), invertedRound(chain, heads)],
  })
}

const fantasyHash = (index: number): string => index.toString(16).padStart(16, '0')

function fantasyRow(index: number, height: number, now: number): ObservationRow {
  const timestamp = Math.floor(now / 1000) + fantasySec
  return [index, 1, null, height + fantasyBlocks, timestamp, fantasyHash(index), 1, 0]
}

function fantasyRound(chain: string | null, heads: readonly (number | null)[]): Round {
  const rows = heads.map((height, index) => fantasyRow(index, height ?? 0, Date.now()))
  const hashes = heads.map((_, index): [number, string] => [index, fantasyHash(index)])
  return roundOf(chain, rows, { ageMs: 1, checkpoint: { height: 1, hashes } })
}

function invertedRound(chain: string | null, heads: readonly (number | null)[]): Round {
  const rows = heads.map((height, index): ObservationRow => {
    if (height === null) return fantasyRow(index, 0, Date.now())
    return [index, 0, 'CONNECT', null, null, null, 0, 0]
  })
  return roundOf(chain, rows)
}

/** What the service really says; null when it does not answer. */
async function headOf({ endpoint }: Target): Promise<number | null> {
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
      signal: AbortSignal.timeout(300),
    })
    const answer: unknown = await response.json()
    const isAnswer = typeof answer === 'object' && answer !== null && 'result' in answer
    return isAnswer ? Number(answer.result) : null
  } catch {
    return null
  }
}
