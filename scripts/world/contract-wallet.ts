import * as ContractAddress from 'ox/ContractAddress'
import * as Hex from 'ox/Hex'
import * as SignatureErc6492 from 'ox/erc6492/SignatureErc6492'
import * as z from 'zod/mini'

import type { Anvil } from './anvil.ts'

/** A wallet that is a contract: it calls a signature good when it is one of its owner's key (EIP-1271). */
export interface ContractWallet {
  readonly address: string
}

/**
 * `isValidSignature(bytes32 hash, bytes signature)` in EVM code, for signatures of 65 bytes and nothing else: puts
 * hash, v, r and s side by side, has the precompiled contract 1 recover the signer, and answers 0x1626ba7e times
 * one or zero.
 */
const runtimeCode = (owner: string): string =>
  [
    '600435600052', // hash, calldata 0x04, to memory 0x00
    '60a43560f81c602052', // v, the first byte at 0xa4, to 0x20
    '606435604052', // r to 0x40
    '608435606052', // s to 0x60
    '602060806080600060015afa50', // ecrecover(0x00..0x80) to 0x80
    `60805173${owner}14`, // is it the owner?
    '631626ba7e60e01b02', // times the magic value
    '60005260206000f3', // as the answer
  ].join('')

/** Copies what follows it, and makes that the contract's code. */
const initCode = (code: string): string => `60${(code.length / 2).toString(16)}80600b6000396000f3${code}`

const Accounts = z.array(z.string()).check(z.minLength(1))
const Receipt = z.object({ status: z.literal('0x1'), contractAddress: z.string() })

/** Deploys one on a node that mines on demand. */
export async function deployContractWallet(anvil: Anvil, owner: string): Promise<ContractWallet> {
  const [from] = Accounts.parse(await anvil.rpc('eth_accounts'))
  const data = `0x${initCode(runtimeCode(owner.slice(2).toLowerCase()))}`
  const hash = await anvil.rpc('eth_sendTransaction', [{ from, data, gas: '0x100000' }])
  await anvil.rpc('evm_mine')
  const receipt = Receipt.parse(await anvil.rpc('eth_getTransactionReceipt', [hash]))
  return { address: receipt.contractAddress }
}

/** The deterministic deployment proxy, which anvil has from its start: it creates what follows a salt of 32 bytes. */
const factory = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

/** One that nobody has deployed yet, as wallets are before their first payment. `wrap` makes its signatures (ERC-6492). */
export interface CounterfactualWallet extends ContractWallet {
  readonly address: Hex.Hex
  wrap(signature: Hex.Hex): Hex.Hex
}

export function counterfactualWallet(owner: string): CounterfactualWallet {
  const bytecode: Hex.Hex = `0x${initCode(runtimeCode(owner.slice(2).toLowerCase()))}`
  const salt = Hex.fromNumber(1, { size: 32 })
  return {
    address: ContractAddress.fromCreate2({ from: factory, salt, bytecode }),
    wrap: (signature) => SignatureErc6492.wrap({ to: factory, data: Hex.concat(salt, bytecode), signature }),
  }
}
