import * as AbiFunction from 'ox/AbiFunction'
import type * as Hex from 'ox/Hex'
import * as z from 'zod/mini'

import { type Egress, EgressError } from '../../platform/egress.ts'
import { parseJson } from '../../platform/json.ts'

/** What a wallet that is a contract says of a signature (EIP-1271), or why it could not be asked. */
export type ContractVerdict = 'valid' | 'invalid' | 'no_rpc' | 'unreachable' | 'wrong_chain'

/** Addresses of the RPC nodes that the operator trusts, by chain id. */
export type ChainRpcs = ReadonlyMap<number, string>

export interface ContractQuestion {
  readonly chainId: number
  readonly address: string
  readonly hash: Hex.Hex
  readonly signature: Hex.Hex
}

/** A person waits for it, and the node may hang. */
const deadlineMs = 3_000
const maxBytes = 65_536

const isValidSignature = AbiFunction.from(
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
)
/** bytes4 0x1626ba7e, padded to a word. Any other answer is a no, a longer one too. */
const magicWord = `0x1626ba7e${'0'.repeat(56)}`

/**
 * Asks the wallet contract through the configured node of the chain, never one that a caller names. The node is
 * also asked for its chain: a wrong address in the setting must not let a contract of another chain answer.
 */
export async function askContract(
  egress: Egress,
  rpcs: ChainRpcs,
  { chainId, address, hash, signature }: ContractQuestion,
): Promise<ContractVerdict> {
  const url = rpcs.get(chainId)
  if (url === undefined) return 'no_rpc'
  const data = AbiFunction.encodeData(isValidSignature, [hash, signature])
  const [nodeChain, answer] = await Promise.all([
    callNode(egress, url, 'eth_chainId', []),
    callNode(egress, url, 'eth_call', [{ to: address, data }, 'latest']),
  ])
  if (nodeChain.kind !== 'result') return 'unreachable'
  if (Number(nodeChain.result) !== chainId) return 'wrong_chain'
  if (answer.kind === 'unreachable') return 'unreachable'
  return answer.kind === 'result' && answer.result === magicWord ? 'valid' : 'invalid'
}

type NodeAnswer = { kind: 'result'; result: string } | { kind: 'no_result' } | { kind: 'unreachable' }

async function callNode(egress: Egress, url: string, method: string, params: unknown[]): Promise<NodeAnswer> {
  try {
    const { status, text } = await egress.request({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      timeoutMs: deadlineMs,
      maxBytes,
    })
    return status >= 500 || status === 429 ? { kind: 'unreachable' } : readAnswer(text)
  } catch (error) {
    if (error instanceof EgressError) return { kind: 'unreachable' }
    throw error
  }
}

const RpcResult = z.object({ result: z.string() })

/** A call that reverts is answered with an error, and that is the contract's no. */
function readAnswer(text: string): NodeAnswer {
  const parsed = z.safeParse(RpcResult, parseJson(text))
  return parsed.success ? { kind: 'result', result: parsed.data.result } : { kind: 'no_result' }
}
