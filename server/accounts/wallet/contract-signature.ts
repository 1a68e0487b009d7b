import * as AbiFunction from 'ox/AbiFunction'
import * as AbiParameters from 'ox/AbiParameters'
import * as Hex from 'ox/Hex'
import * as SignatureErc6492 from 'ox/erc6492/SignatureErc6492'
import * as z from 'zod/mini'

import { type Egress, EgressError } from '../../platform/egress.ts'
import { parseJson } from '../../platform/json.ts'

/** What a wallet that is a contract says of a signature (EIP-1271, ERC-6492), or why it could not be asked. */
export type ContractVerdict = 'valid' | 'invalid' | 'no_rpc' | 'unreachable' | 'wrong_chain'

/** Addresses of the RPC nodes that the operator trusts, by chain id. */
export type ChainRpcs = ReadonlyMap<number, string>

export interface ContractQuestion {
  readonly chainId: number
  readonly address: Hex.Hex
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

/** What the constructor of the universal validator of ERC-6492 takes: signer, hash, signature. */
const validatorParameters = AbiParameters.from('address, bytes32, bytes')

/** What to call, and the answer that is a yes. */
interface Check {
  readonly call: { readonly to?: Hex.Hex; readonly data: Hex.Hex }
  readonly yes: string
}

/** Returns the check of a wallet. One may not be there yet: its signature says how it is made, and the validator tries that. */
function checkOf({ address, hash, signature }: ContractQuestion): Check {
  if (!SignatureErc6492.validate(signature))
    return {
      call: { to: address, data: AbiFunction.encodeData(isValidSignature, [hash, signature]) },
      yes: magicWord,
    }
  const given = AbiParameters.encode(validatorParameters, [address, hash, signature])
  return {
    call: { data: Hex.concat(SignatureErc6492.universalSignatureValidatorBytecode, given) },
    yes: '0x01',
  }
}

/**
 * Asks the wallet contract through the configured node of the chain, never one that a caller names. The node is
 * also asked for its chain: a wrong address in the setting must not let a contract of another chain answer.
 */
export async function askContract(
  egress: Egress,
  rpcs: ChainRpcs,
  question: ContractQuestion,
): Promise<ContractVerdict> {
  const { chainId } = question
  const url = rpcs.get(chainId)
  if (url === undefined) return 'no_rpc'
  const { call, yes } = checkOf(question)
  const [nodeChain, answer] = await Promise.all([
    callNode(egress, url, 'eth_chainId', []),
    callNode(egress, url, 'eth_call', [call, 'latest']),
  ])
  if (nodeChain.kind !== 'result') return 'unreachable'
  if (Number(nodeChain.result) !== chainId) return 'wrong_chain'
  if (answer.kind === 'unreachable') return 'unreachable'
  return answer.kind === 'result' && answer.result === yes ? 'valid' : 'invalid'
}

type NodeAnswer = { kind: 'result'; result: string } | { kind: 'reverted' } | { kind: 'unreachable' }

async function callNode(egress: Egress, url: string, method: string, params: unknown[]): Promise<NodeAnswer> {
  try {
    const { text } = await egress.request({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      timeoutMs: deadlineMs,
      maxBytes,
    })
    return readAnswer(text)
  } catch (error) {
    if (error instanceof EgressError) return { kind: 'unreachable' }
    throw error
  }
}

/** Some nodes write both members, one of them as null. */
const RpcAnswer = z.object({
  result: z.nullish(z.string()),
  error: z.nullish(z.object({ code: z.number(), message: z._default(z.string(), '') })),
})

/** How nodes say that a contract did not get to an answer: geth by the code 3, others in words. */
const isRevert = ({ code, message }: { code: number; message: string }): boolean =>
  code === 3 || /revert|invalid opcode|out of gas/i.test(message)

/** A call that reverts is the contract's no. Any other error, such as a limit, is the node's, whatever its HTTP status. */
function readAnswer(text: string): NodeAnswer {
  const { result, error } = z.safeParse(RpcAnswer, parseJson(text)).data ?? {}
  if (typeof result === 'string') return { kind: 'result', result }
  return error && isRevert(error) ? { kind: 'reverted' } : { kind: 'unreachable' }
}
