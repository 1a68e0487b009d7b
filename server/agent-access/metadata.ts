import { agentScopes } from '../../shared/agents.ts'
import { assertionAlgorithms } from './clients/assertions.ts'

const proofs = { methods: ['none', 'private_key_jwt'], algorithms: assertionAlgorithms }

/**
 * What clients read of this authorization server (RFC 8414). They look for `none` together with
 * `client_id_metadata_document_supported`, or else fall back to registering.
 */
export const serverMetadata = (origin: string, canRegister: boolean) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/oauth/authorize`,
  token_endpoint: `${origin}/oauth/token`,
  ...(canRegister && { registration_endpoint: `${origin}/oauth/register` }),
  revocation_endpoint: `${origin}/oauth/revoke`,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: proofs.methods,
  token_endpoint_auth_signing_alg_values_supported: proofs.algorithms,
  revocation_endpoint_auth_methods_supported: proofs.methods,
  revocation_endpoint_auth_signing_alg_values_supported: proofs.algorithms,
  scopes_supported: agentScopes,
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
})
