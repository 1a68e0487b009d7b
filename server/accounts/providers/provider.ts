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

/** `detail` is for the log. */
export type ProviderAnswer =
  | { readonly kind: 'identified'; readonly identity: ProvenIdentity }
  | { readonly kind: 'failed'; readonly detail: string }

/** A place that tells who somebody is (OAuth 2.0, and OpenID Connect where it has that). */
export interface IdentityProvider {
  /** Where to send the browser. */
  redirectTo(run: ProviderRun): URL
  /** Whose code it is that the browser brought back. */
  identify(code: string, run: ProviderRun): Promise<ProviderAnswer>
  /** What the provider calls itself in `iss` of its redirects (RFC 9207); null when it does not say. */
  readonly issuer: string | null
}

export const failed = (detail: string): { kind: 'failed'; detail: string } => ({ kind: 'failed', detail })
