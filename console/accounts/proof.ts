import { ref } from 'vue'
import type { Ref } from 'vue'

import type { Provider, Purpose, SignInResult } from '../../shared/accounts.ts'
import { callErrorText } from '../trpc.ts'
import { signInAtProvider, startAtProvider } from './auth-calls.ts'
import { proveWallet } from './wallets/prove-wallet.ts'
import type { WalletStep } from './wallets/prove-wallet.ts'
import type { Wallet } from './wallets/wallet.ts'

/** What a proof of identity is for. */
export interface ProofRequest {
  readonly purpose: Purpose
  /** Lower-case addresses of wallets that will do; null: any. */
  readonly addresses: readonly string[] | null
  /** Where a provider sends the browser back to: a `ReturnPath`. */
  readonly returnTo: string
}

export interface Proof {
  /** The wallet's id, or the provider, that is asked now. */
  readonly busyWith: Readonly<Ref<string | null>>
  readonly step: Readonly<Ref<WalletStep | null>>
  readonly problem: Readonly<Ref<string | null>>
  /** Null when it came to nothing; `problem` says why. */
  byWallet(wallet: Wallet): Promise<SignInResult | null>
  /** Leaves the page. */
  atProvider(provider: Provider): Promise<void>
}

/** Proving who one is, one way at a time. */
export function useProof(request: () => ProofRequest): Proof {
  const busyWith = ref<string | null>(null)
  const step = ref<WalletStep | null>(null)
  const problem = ref<string | null>(null)

  async function attempt<Result>(id: string, work: () => Promise<Result>): Promise<Result | null> {
    if (busyWith.value !== null) return null
    busyWith.value = id
    problem.value = null
    try {
      return await work()
    } catch (error) {
      problem.value = callErrorText(error)
      return null
    } finally {
      busyWith.value = null
      step.value = null
    }
  }

  function onStep(next: WalletStep): void {
    step.value = next
  }

  return {
    busyWith,
    step,
    problem,
    byWallet(wallet) {
      const { purpose, addresses } = request()
      return attempt(wallet.id, () => proveWallet(wallet, { purpose, addresses, onStep }))
    },
    async atProvider(provider) {
      const { purpose, returnTo } = request()
      if (purpose === 'sign_in') return location.assign(signInAtProvider(provider, returnTo))
      const redirect = await attempt(provider, () => startAtProvider(provider, { purpose, returnTo }))
      if (redirect !== null) location.assign(redirect.location)
    },
  }
}
