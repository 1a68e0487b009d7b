import { foldedName } from '../../platform/folded-name.ts'
import * as TxEnvelope from 'ox/TxEnvelope'

import { createPatternMatcher } from '../../../shared/method-access.ts'
import type { RelayKey } from '../ports.ts'

/**
 * What a key may call of what its endpoint relays. Most keys have no such lists, and their calls do not come here.
 *
 * With a list of contracts, a call passes when it is known where it names contracts and all that it names are in the
 * list, or when it names none. Any other method is refused, as nobody could say what it reaches. Parameters are sent on
 * as they were understood here: a member that is given twice, or in other letters (`To`), must not be read by a node as
 * something else than what was checked.
 */

type CallVerdict =
  /** `params` is the JSON text to send. */
  | { readonly kind: 'allowed'; readonly params: string }
  | { readonly kind: 'method_not_allowed' | 'contract_not_allowed' }

export type KeyRefusal = Exclude<CallVerdict['kind'], 'allowed'>

interface KeyLists {
  readonly isMethodAllowed: (method: string) => boolean
  /** In lower case; null: any contract. */
  readonly contracts: ReadonlySet<string> | null
}

const listsOfKeys = new WeakMap<RelayKey, KeyLists>()

function listsOf(key: RelayKey): KeyLists {
  const known = listsOfKeys.get(key)
  if (known !== undefined) return known
  const { allowedMethods, allowedContracts } = key
  const lists = {
    isMethodAllowed: allowedMethods.length === 0 ? () => true : createPatternMatcher(allowedMethods),
    contracts: allowedContracts.length === 0 ? null : new Set(allowedContracts),
  }
  listsOfKeys.set(key, lists)
  return lists
}

/** Decides about a call of a key that has such lists. `params` is a JSON text, empty without any. */
export function checkCall(key: RelayKey, method: string, params: string): CallVerdict {
  const { isMethodAllowed, contracts } = listsOf(key)
  if (!isMethodAllowed(method)) return { kind: 'method_not_allowed' }
  if (contracts === null || withoutContracts.has(method)) return { kind: 'allowed', params }
  const given: unknown = params === '' ? [] : JSON.parse(params)
  const named = Array.isArray(given) ? contractsIn(method, given) : null
  if (named === null || !named.every((address) => contracts.has(address))) {
    return { kind: 'contract_not_allowed' }
  }
  return { kind: 'allowed', params: JSON.stringify(given) }
}

const names = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Methods that reach no contract, or tell only what every block does. */
const withoutContracts = names(`
  eth_blobBaseFee eth_blockNumber eth_chainId eth_feeHistory eth_gasPrice eth_getBalance eth_getBlockByHash
  eth_getBlockByNumber eth_getBlockReceipts eth_getBlockTransactionCountByHash eth_getBlockTransactionCountByNumber
  eth_getFilterChanges eth_getFilterLogs eth_getTransactionByBlockHashAndIndex
  eth_getTransactionByBlockNumberAndIndex eth_getTransactionByHash eth_getTransactionCount eth_getTransactionReceipt
  eth_maxPriorityFeePerGas eth_newBlockFilter eth_protocolVersion eth_syncing eth_uninstallFilter eth_unsubscribe
  net_listening net_version web3_clientVersion`)

/** Methods by where they name contracts. */
const byRecipient = names('eth_call eth_estimateGas eth_createAccessList')
const byFilter = names('eth_getLogs eth_newFilter')
const byFirst = names('eth_getCode eth_getProof eth_getStorageAt')
const byTransaction = names(
  'eth_sendRawTransaction eth_sendRawTransactionSync eth_sendRawTransactionConditional',
)

/** Returns the contracts that a call names, in lower case; null when that cannot be said. */
function contractsIn(method: string, params: readonly unknown[]): readonly string[] | null {
  const [first, second] = params
  // State overrides, the third parameter, put any code at any address.
  if (byRecipient.has(method)) return params.length > 2 ? null : addressOf(memberOf(first, 'to'))
  if (byFilter.has(method)) return addressesOf(memberOf(first, 'address'))
  if (byFirst.has(method)) return addressOf(first)
  if (byTransaction.has(method)) return addressOf(recipientOf(first))
  if (method !== 'eth_subscribe') return null
  if (first === 'newHeads') return []
  return first === 'logs' ? addressesOf(memberOf(second, 'address')) : null
}

const addressOf = (value: unknown): readonly string[] | null =>
  typeof value === 'string' ? [value.toLowerCase()] : null

/** The same for a list of addresses, where a blank one stands for all contracts. */
function addressesOf(value: unknown): readonly string[] | null {
  if (!Array.isArray(value)) return addressOf(value)
  const addresses = value.flatMap((each: unknown) => addressOf(each) ?? [])
  return addresses.length === 0 || addresses.length < value.length ? null : addresses
}

/** Some nodes read members in any letters. */
function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const alike = Object.keys(value).filter((key) => foldedName(key) === name)
  return alike.length === 1 && alike[0] === name ? (value as Record<string, unknown>)[name] : undefined
}

/** Returns the recipient of a signed transaction; undefined for one that creates a contract or cannot be read. */
function recipientOf(transaction: unknown): unknown {
  if (typeof transaction !== 'string' || !/^0x[0-9a-f]+$/i.test(transaction)) return undefined
  try {
    const envelope = TxEnvelope.deserialize(transaction.toLowerCase() as `0x${string}`)
    return 'to' in envelope ? envelope.to : undefined
  } catch {
    return undefined
  }
}
