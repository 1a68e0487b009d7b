import * as z from 'zod/mini'

import type { Egress } from '../../platform/egress.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { exchangeJson } from './json-exchange.ts'
import { failed } from './provider.ts'

const names = z.optional(z.array(z.string()))

/** What a provider says of itself (OpenID Connect Discovery 1.0, section 3), as far as we use it. */
const OidcMetadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  userinfo_endpoint: z.optional(z.string()),
  token_endpoint_auth_methods_supported: names,
  scopes_supported: names,
  prompt_values_supported: names,
  authorization_response_iss_parameter_supported: z.optional(z.boolean()), // RFC 9207
})
export type OidcMetadata = z.infer<typeof OidcMetadata>

/** `detail` is for operators. */
export type MetadataReading =
  | { readonly kind: 'metadata'; readonly metadata: OidcMetadata }
  | { readonly kind: 'failed'; readonly detail: string }

/** A provider that moves its addresses announces it, and serves both for a while. */
const goodForMs = 3_600_000
/** A provider that is down is not asked by everybody who presses the button. */
const failureStandsMs = 5_000

/** The metadata of one issuer, read when it is asked for, and kept. */
export function createOidcMetadata(issuer: string, egress: Egress, clock: SteadyClock) {
  let kept: { readonly reading: MetadataReading; readonly until: number } | null = null
  let asking: Promise<MetadataReading> | null = null

  async function ask(): Promise<MetadataReading> {
    try {
      const reading = await readMetadata(issuer, egress)
      kept = { reading, until: clock.now() + (reading.kind === 'failed' ? failureStandsMs : goodForMs) }
      return reading
    } finally {
      asking = null
    }
  }

  async function read(): Promise<MetadataReading> {
    if (kept !== null && clock.now() < kept.until) return kept.reading
    asking ??= ask()
    return asking
  }

  return {
    read,

    /** Why the last attempt to read it failed; null when it did not. Whoever looks again learns whether that is over. */
    problem(): string | null {
      if (kept?.reading.kind !== 'failed') return null
      void read()
      return kept.reading.detail
    },
  }
}

async function readMetadata(issuer: string, egress: Egress): Promise<MetadataReading> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const answer = await exchangeJson(egress, { url })
  if (answer.kind === 'failed') return failed(`discovery at ${url}: ${answer.detail}`)
  const parsed = z.safeParse(OidcMetadata, answer.value)
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.') ?? ''
    return failed(`discovery at ${url}: ${field === '' ? 'no metadata' : `${field} is not as it should be`}`)
  }
  const why = refusalOf(issuer, parsed.data)
  return why === null ? { kind: 'metadata', metadata: parsed.data } : failed(`discovery at ${url}: ${why}`)
}

/** Why this metadata is not that of the issuer, or sends people or secrets over an open line; null when it may be used. */
function refusalOf(issuer: string, metadata: OidcMetadata): string | null {
  // Otherwise one provider could speak for another (section 4.3).
  if (metadata.issuer !== issuer) {
    return `it calls itself ${JSON.stringify(metadata.issuer.slice(0, 200))}, which has to be GATEHOUSE_OIDC_ISSUER to the letter`
  }
  const unsafe = (
    ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'] as const
  ).find((name) => metadata[name] !== undefined && !isSafe(metadata[name], issuer))
  return unsafe === undefined ? null : `${unsafe} is no https address`
}

/** An issuer on a loopback address, which the setting admits without TLS, may have its addresses beside it. */
function isSafe(address: string, issuer: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && url.origin === new URL(issuer).origin)
}
