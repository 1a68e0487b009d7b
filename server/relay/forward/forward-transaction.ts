import type { RpcCall } from '../rpc-call.ts'
import { findMembers } from '../tip/block-parameter.ts'
import { sendTransaction } from '../transactions/send-transaction.ts'
import type { UpstreamFailure } from './attempt-class.ts'
import type { EndpointRoute } from './endpoint-route.ts'
import type { SendCalls } from './forward-blocks.ts'
import { OwnCall } from './own-call.ts'

/** The method that sends a signed transaction whose bytes tell its hash. */
export const sendMethod = 'eth_sendRawTransaction'

/** Whoever knows a transaction is asked for it for so long (ms). */
const lookUpMs = 2_000

/** Sends a transaction to several nodes at once. Resolves to why none has answered, null when one has. */
export async function forwardTransaction(
  call: RpcCall,
  keyId: string,
  route: EndpointRoute,
  send: SendCalls,
): Promise<UpstreamFailure | null> {
  let failure: UpstreamFailure | null = null
  // The node that will be asked for the next nonce has to know of this one.
  const upstreams = route.inOrder(call, keyId)
  const outcome = await sendTransaction({
    params: call.params,
    upstreams,
    atOnce: nodesAtOnce(route, upstreams),
    async send(upstream) {
      const sent = new OwnCall(call.method, call.params, call.facts)
      failure = (await send([sent], ~(1 << upstream))) ?? failure
      if (call.answer === '' && sent.outcome === 'unanswered') call.reject(sent.rejection)
      return sent
    },
    isKnown: (hash) => isKnown(hash, route, send),
  })
  if (outcome.kind === 'result') call.setResult(outcome.text)
  else if (outcome.kind === 'error') call.setError(outcome.text)
  return outcome.kind === 'unanswered' ? (failure ?? 'connect') : null
}

/** Tells whether a transaction, a JSON text, is the one with this hash: a node may answer with another one, or with nothing. */
function tellsHash(result: string, hash: string): boolean {
  const { hash: told } = findMembers(result, 0, ['hash'])
  return told !== null && result.slice(told.from + 1, told.to - 1).toLowerCase() === hash
}

/** Those of the lowest tier, as far as that has so many: nodes of a higher one are asked where these fail. */
function nodesAtOnce({ clients, transactionNodes }: EndpointRoute, [first = 0]: readonly number[]): number {
  const lowest = clients[first]?.tier
  return Math.min(transactionNodes, clients.filter(({ tier }) => tier === lowest).length)
}

/** Resolves to true as soon as one node knows the transaction, to false when none does or they take too long. */
async function isKnown(hash: string, route: EndpointRoute, send: SendCalls): Promise<boolean> {
  const { promise: found, resolve } = Promise.withResolvers<boolean>()
  const facts = route.factsOf('eth_getTransactionByHash')
  const timer = setTimeout(() => resolve(false), lookUpMs)
  const asked = route.clients.map(async ({ index }) => {
    const call = new OwnCall('eth_getTransactionByHash', `["${hash}"]`, facts)
    await send([call], ~(1 << index))
    if (call.result !== null && tellsHash(call.result, hash)) resolve(true)
  })
  void Promise.all(asked).then(() => resolve(false))
  const isFound = await found
  clearTimeout(timer)
  return isFound
}
