import type { Purpose, SignInResult } from '../../../shared/accounts.ts'
import { ReportedError } from '../../reported-error.ts'
import { challengeWallet, verifyWallet } from '../auth-calls.ts'
import { noAccountText, walletProblem } from './wallet-problem.ts'
import { shortAddress } from './wallet.ts'
import type { Wallet, WalletProvider } from './wallet.ts'

/** Steps during which the wallet waits for a person. */
export type WalletStep = 'connecting' | 'signing'

export interface WalletProofRequest {
  readonly purpose: Purpose
  /** Lower-case addresses that will do; null: any. */
  readonly addresses: readonly string[] | null
  readonly onStep: (step: WalletStep) => void
}

/** Has the wallet sign the server's message. @throws ToldError; AuthRefusal. */
export async function proveWallet(
  wallet: Wallet,
  { purpose, addresses, onStep }: WalletProofRequest,
): Promise<SignInResult> {
  onStep('connecting')
  const shared = await ask(wallet, 'eth_requestAccounts')
  const address = chooseAddress(shared, addresses, wallet.name)
  const { message } = await challengeWallet({ address, chainId: await chainOf(wallet.provider), purpose })
  onStep('signing')
  const signature = await ask(wallet, 'personal_sign', [hexOf(message), address])
  if (typeof signature !== 'string') throw walletProblem(null, wallet.name)
  return verifyWallet({ message, signature })
}

async function ask(wallet: Wallet, method: string, params: readonly unknown[] = []): Promise<unknown> {
  try {
    return await wallet.provider.request({ method, params })
  } catch (error) {
    throw walletProblem(error, wallet.name)
  }
}

/** The one that is chosen in the wallet comes first. @throws ToldError */
export function chooseAddress(
  shared: unknown,
  acceptable: readonly string[] | null,
  walletName: string,
): string {
  const offered = Array.isArray(shared) && shared.every(isWalletAddress) ? shared : []
  const [first] = offered
  if (first === undefined) throw new ReportedError(noAccountText(walletName))
  if (acceptable === null) return first
  const fitting = offered.find((address) => acceptable.includes(address.toLowerCase()))
  if (fitting !== undefined) return fitting
  throw new ReportedError(
    `${walletName} offers ${shortAddress(first)}, which is not a wallet of this account. Choose ` +
      `${acceptable.map(shortAddress).join(' or ')} in the wallet, and try again.`,
  )
}

/** Matters to contract wallets only, which are accounts of one chain; so a wallet that does not tell is no reason to stop. */
async function chainOf(provider: WalletProvider): Promise<number> {
  const mainnet = 1
  const answer = await provider.request({ method: 'eth_chainId' }).catch(() => null)
  const chainId = Number(answer)
  return Number.isSafeInteger(chainId) && chainId > 0 ? chainId : mainnet
}

const isWalletAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)

/** Wallets sign what its bytes say; a plain text some of them take for hexadecimal or the reverse. */
export function hexOf(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
