import type {
  Provider,
  Purpose,
  WalletChallenge,
  WalletChallengeRequest,
  WalletProof,
} from '../../shared/accounts.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import type { ProviderReturn, ProviderSignIns } from './providers/provider-sign-in.ts'
import type { SignInAttempts } from './sign-in-attempts.ts'
import { type CompleteSignIn, type SignInOutcome, intentOf } from './sign-in-outcome.ts'
import type { SignInRequest } from './sign-in-request.ts'
import type { WalletSignIn } from './wallet/wallet-sign-in.ts'

/** What came of a return from a provider. */
export interface ProviderSignIn {
  readonly outcome: SignInOutcome | { readonly kind: 'denied' | 'provider_failed' }
  readonly purpose: Purpose
  readonly returnTo: string
}

interface SignInParts {
  readonly attempts: SignInAttempts
  readonly clock: SteadyClock
  readonly wallet: WalletSignIn
  readonly atProviders: ProviderSignIns
  readonly completeSignIn: CompleteSignIn
}

/** The steps of signing in, each of which counts as an attempt. */
export function createSignIn({ attempts, clock, wallet, atProviders, completeSignIn }: SignInParts) {
  return {
    /** Faults: `rate_limited`; `unauthorized` and `stale_session` for a purpose that needs a session. */
    challenge(
      request: WalletChallengeRequest,
      context: SignInRequest,
      preAuthSecret: string,
    ): Promise<WalletChallenge> {
      attempts.count(context, preAuthSecret)
      const intent = intentOf(request.purpose, context.session, clock.now())
      return wallet.challenge(request, intent, context.origin, preAuthSecret)
    },

    /** Faults: `rate_limited`, `unauthorized`, `upstream_error`. */
    async proveWallet(proof: WalletProof, context: SignInRequest): Promise<SignInOutcome> {
      attempts.count(context)
      const { identity, intent } = await wallet.prove(proof, context)
      return completeSignIn(identity, intent, context)
    },

    /** Where to send the browser. Faults: `rate_limited`, `unauthorized`, `not_found`. */
    startAtProvider(
      name: Provider,
      { purpose, returnTo }: { purpose: Purpose; returnTo: string },
      context: SignInRequest,
      preAuthSecret: string,
    ): Promise<URL> {
      attempts.count(context, preAuthSecret)
      const intent = intentOf(purpose, context.session, clock.now())
      return atProviders.start(name, intent, returnTo, preAuthSecret)
    },

    /** Faults: `rate_limited`, `bad_request`, `not_found`, `unauthorized`. */
    async returnFromProvider(
      name: Provider,
      back: ProviderReturn,
      context: SignInRequest,
    ): Promise<ProviderSignIn> {
      attempts.count(context)
      const proof = await atProviders.finish(name, back, context.secret)
      const { intent, returnTo } = proof
      const outcome = proof.kind === 'proven' ? await completeSignIn(proof.identity, intent, context) : proof
      return { outcome, purpose: intent.purpose, returnTo }
    },
  }
}
