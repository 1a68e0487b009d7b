import type { AuthorizationServerMetadata, OAuthDiscoveryState } from '@modelcontextprotocol/client'

import type { ConsentProblem } from '../../../shared/connections.ts'
import { loopbackNames } from '../../../shared/loopback-names.ts'

/** What an authorization server and its tool server said of themselves, once it was looked at. */
export interface Discovered {
  readonly issuer: string
  readonly metadata: AuthorizationServerMetadata
  readonly resourceMetadata: NonNullable<OAuthDiscoveryState['resourceMetadata']>
}

/** Why an owner cannot be sent to consent. Its text is ours, and repeats nothing that the other side said. */
export class ConsentRefusal extends Error {
  override readonly name = 'ConsentRefusal'
  readonly problem: ConsentProblem

  constructor(problem: ConsentProblem, text: string) {
    super(text)
    this.problem = problem
  }
}

/** A scope as RFC 6749 has it. Others could not be asked for, and might not be fit to be shown. */
const scopeName = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/
const maxScopes = 50

/** Returns the scopes of a text of others, each once. */
export const scopeNamesIn = (text: string | null | undefined): string[] =>
  [...new Set((text ?? '').split(' ').filter((name) => scopeName.test(name)))].slice(0, maxScopes)

export const isPrintable = (text: string, most = 2_000): boolean =>
  text.length > 0 && text.length <= most && /^[\x20-\x7e]+$/.test(text)

/** Secrets go over https only. On this computer they may go without: the guarded fetch says whether that is allowed at all. */
export function isSecure(url: string, mayBeLoopback = true): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, username, password, hostname } = new URL(url)
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && mayBeLoopback && loopbackNames.includes(hostname))
}

/** What is kept of the metadata: what is read later, and nothing of any size. */
export function keptMetadata(metadata: AuthorizationServerMetadata): AuthorizationServerMetadata {
  const {
    issuer,
    authorization_endpoint,
    token_endpoint,
    registration_endpoint,
    response_types_supported,
    scopes_supported,
    code_challenge_methods_supported,
    token_endpoint_auth_methods_supported,
    client_id_metadata_document_supported,
    authorization_response_iss_parameter_supported,
  } = metadata
  const revocation_endpoint = 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined
  return JSON.parse(
    JSON.stringify({
      issuer,
      authorization_endpoint,
      token_endpoint,
      registration_endpoint,
      revocation_endpoint: typeof revocation_endpoint === 'string' ? revocation_endpoint : undefined,
      response_types_supported,
      scopes_supported: scopeNamesIn(scopes_supported?.join(' ')),
      code_challenge_methods_supported,
      token_endpoint_auth_methods_supported,
      client_id_metadata_document_supported,
      authorization_response_iss_parameter_supported,
    }),
  )
}
