import { parseJson } from '../../platform/json.ts'
import type { OwnCall } from '../forward/own-call.ts'
import { judgeSendError } from './judge-error.ts'
import { transactionHash } from './transaction-hash.ts'

/** What became of a transaction at one node. Null texts: there was no answer. */
interface Sent {
  /** The JSON text of the result. */
  readonly result: string | null
  /** The JSON text of the error. */
  readonly error: string | null
}

/** What became of it altogether. */
export type SendOutcome =
  | { readonly kind: 'result' | 'error'; readonly text: string }
  /** No node has answered. */
  | { readonly kind: 'unanswered' }

interface SendOptions {
  /** The JSON text of the parameters of the call. */
  readonly params: string
  /** Indexes of upstreams, the best first. */
  readonly upstreams: readonly number[]
  /** How many of them get it at once. */
  readonly atOnce: number
  readonly send: (upstream: number) => Promise<Pick<OwnCall, 'result' | 'error'>>
  /** Resolves to whether any node knows a transaction with this hash. */
  readonly isKnown: (hash: string) => Promise<boolean>
}

/** When a node has refused a transaction, the others have so long (ms) to accept it before the caller is told. */
const otherVerdictsMs = 1_000

/**
 * Sends a signed transaction to several nodes at once: sending it twice changes nothing. The first hash counts. A node
 * that has it already, and one that fails after it has received it, are no reason to tell the sender of an error: then
 * the answer is its hash, which the bytes tell.
 */
export async function sendTransaction(options: SendOptions): Promise<SendOutcome> {
  const { params, upstreams, atOnce, send, isKnown } = options
  const all: Sent[] = []
  for (let from = 0; from < upstreams.length; from += atOnce) {
    const sent = await firstVerdict(upstreams.slice(from, from + atOnce).map(send))
    const accepted = sent.find(({ result }) => result !== null)
    if (accepted?.result) return { kind: 'result', text: accepted.result }
    all.push(...sent)
    if (sent.some(({ error }) => error !== null)) break
  }
  const [rejected] = all.flatMap(({ error }) => error ?? [])
  const verdicts = all.map(({ error }) => (error === null ? null : judgeSendError(error)))
  const isSettled = verdicts.every((verdict) => verdict === 'rejected')
  const hash = isSettled ? null : transactionHash(firstString(params))
  if (hash !== null && (verdicts.includes('known') || (await isKnown(hash)))) {
    return { kind: 'result', text: `"${hash}"` }
  }
  return rejected === undefined ? { kind: 'unanswered' } : { kind: 'error', text: rejected }
}

/** Resolves once one has accepted it, or all have answered, or the others had time to after one has refused it. */
async function firstVerdict(sending: readonly Promise<Sent>[]): Promise<Sent[]> {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  let timer: Timer | undefined
  const sent: Sent[] = []
  const all = sending.map(async (one) => {
    const answer = await one
    sent.push(answer)
    if (answer.result !== null) end()
    else if (answer.error !== null) timer ??= setTimeout(end, otherVerdictsMs)
  })
  await Promise.race([isOver, Promise.all(all)])
  clearTimeout(timer)
  return [...sent]
}

function firstString(params: string): string {
  const values: unknown = parseJson(params)
  const [first] = Array.isArray(values) ? (values as unknown[]) : []
  return typeof first === 'string' ? first : ''
}
