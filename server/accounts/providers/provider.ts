import * as z from 'zod/mini'

import type { Purpose } from '../../../shared/accounts.ts'
import { nameText } from '../../../shared/text.ts'
import type { ProvenIdentity } from '../identity.ts'

/** What every provider needs to know of us: the application that the operator registered there. */
export interface ProviderClient {
  readonly clientId: string
  readonly clientSecret: string
}

/** One run through a provider. */
export interface ProviderRun {
  /** Unguessable; comes back with the code. */
  readonly state: string
  /** PKCE (RFC 7636). */
  readonly codeVerifier: string
  /** Exactly the address that is registered there. */
  readonly redirectUrl: string
}

/** A code that a browser brought back. */
export interface ReturnedCode {
  readonly code: string
  /** Whether the redirect said whose it was (RFC 9207). */
  readonly namesIssuer: boolean
}

/** `detail` is for the log. */
export type ProviderAnswer =
  | { readonly kind: 'identified'; readonly identity: ProvenIdentity }
  | { readonly kind: 'failed'; readonly detail: string }

/** `detail` is for operators. */
export type WayToProvider =
  | { readonly kind: 'redirect'; readonly url: URL }
  | { readonly kind: 'failed'; readonly detail: string }

/** A place that tells who somebody is (OAuth 2.0, and OpenID Connect where it has that). */
export interface IdentityProvider {
  /** Where to send the browser. */
  redirectTo(run: ProviderRun, purpose: Purpose): Promise<WayToProvider>
  /** Whose code it is. */
  identify(returned: ReturnedCode, run: ProviderRun): Promise<ProviderAnswer>
  /** What the provider calls itself in `iss` of its redirects (RFC 9207); null when it does not say. */
  readonly issuer: string | null
}

export const failed = (detail: string): { kind: 'failed'; detail: string } => ({ kind: 'failed', detail })

const Label = nameText(100)

/** What a provider calls somebody, as far as people can see it; null where it cannot be shown as it is. */
export function labelOf(name: unknown): string | null {
  const label = z.safeParse(Label, typeof name === 'string' ? name.slice(0, 100) : name)
  return label.success ? label.data : null
}
