import * as z from 'zod/mini'

import { nameText, text } from '../../../shared/text.ts'
import { isAcceptableRedirect } from '../redirects.ts'

/** How a client may prove itself at the token address, as its document says. */
export interface ClientProofs {
  /** `none`: it proves nothing but the code verifier. */
  readonly methods: readonly string[]
  readonly jwksUri: string | null
}

/** A program that may ask for access. */
export interface AgentClient {
  readonly id: string
  readonly kind: 'registered' | 'document'
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly proofs: ClientProofs
}

/** What the operator decided about clients. */
export interface AgentSettings {
  /** Whether programs may register themselves. */
  readonly canRegister: boolean
  /** Hosts whose documents are admitted; null admits all. */
  readonly clientHosts: readonly string[] | null
  /** Schemes of programs that answers may be sent to. */
  readonly appSchemes: readonly string[]
}

const maxIdChars = 2_000
const maxRedirects = 20

/** https, with a path, and no part by which one address could pass for another. */
export function isDocumentAddress(id: string): boolean {
  const url =
    id.length <= maxIdChars && /^https:\/\/[\x21-\x7e]+$/.test(id) && !/[\\#@]/.test(id)
      ? URL.parse(id)
      : null
  return url !== null && url.href === id && url.pathname !== '/'
}

export const documentHost = (documentAddress: string): string => new URL(documentAddress).host

const Methods = z.array(text({ max: 100 })).check(z.maxLength(20))

const metadataFields = {
  client_name: nameText(100),
  redirect_uris: z.array(text({ max: 2_000 })).check(z.maxLength(maxRedirects)),
}
const Registration = z.object({ ...metadataFields, client_name: z._default(nameText(100), 'Unnamed client') })
const Document = z.object({
  ...metadataFields,
  client_id: text({ max: maxIdChars }),
  client_secret: z.optional(z.undefined()),
  token_endpoint_auth_method: z._default(z.enum(['none', 'private_key_jwt']), 'none'),
  token_endpoint_auth_methods_supported: z.optional(Methods), // what else it can do: ChatGPT names both
  jwks_uri: z.optional(text({ max: maxIdChars }).check(z.refine(isDocumentAddress))),
})

/** Why metadata is refused: for its addresses, or for anything else. */
type MetadataProblem = 'redirects' | 'metadata'

export type ReadMetadata =
  | { readonly ok: true; readonly client: Omit<AgentClient, 'id' | 'kind'> }
  | { readonly ok: false; readonly problem: MetadataProblem }

/**
 * Programs name several addresses at once, for places where they may run. Those that nobody is ever sent to are left out;
 * none left is a refusal.
 */
function acceptableOf(uris: readonly string[], { appSchemes }: AgentSettings): readonly string[] {
  return [...new Set(uris.filter((uri) => isAcceptableRedirect(uri, appSchemes)))].toSorted()
}

const refused = (problem: MetadataProblem): ReadMetadata => ({ ok: false, problem })

/** Reads what a program says of itself when it registers. It becomes a public client, whatever it asked for. */
export function readRegistration(body: unknown, settings: AgentSettings): ReadMetadata {
  const parsed = z.safeParse(Registration, body)
  if (!parsed.success) {
    return refused(
      parsed.error.issues.every(({ path }) => path[0] === 'redirect_uris') ? 'redirects' : 'metadata',
    )
  }
  const redirectUris = acceptableOf(parsed.data.redirect_uris, settings)
  if (redirectUris.length === 0) return refused('redirects')
  const proofs = { methods: ['none'], jwksUri: null }
  return { ok: true, client: { name: parsed.data.client_name, redirectUris, proofs } }
}

/** Reads the document at `id`, which must name this very address. */
export function readClientDocument(id: string, content: unknown, settings: AgentSettings): ReadMetadata {
  const parsed = z.safeParse(Document, content)
  if (!parsed.success || parsed.data.client_id !== id) return refused('metadata')
  const { data } = parsed
  const redirectUris = acceptableOf(data.redirect_uris, settings)
  if (redirectUris.length === 0) return refused('redirects')
  const methods = data.token_endpoint_auth_methods_supported ?? [data.token_endpoint_auth_method]
  const proofs = { methods, jwksUri: data.jwks_uri ?? null }
  return { ok: true, client: { name: data.client_name, redirectUris, proofs } }
}
