/** The form of an identity at a provider, such as `github:583231` or `oidc:https://id.example.org#248289761001`. */
export const providerIdentities =
  'github:\\d+|google:[A-Za-z0-9_-]+|oidc:https?:[A-Za-z0-9._~:/%\\[\\]-]{3,200}#[!-~]{1,255}'

/** One identity, as settings, invitations and the command line name it. */
export const identityPattern = new RegExp(
  `^(?:(?:eip155:[1-9]\\d*:)?0x[0-9a-fA-F]{40}|${providerIdentities})$`,
)

/** The same in words. */
export const identityForms = 'a wallet address, github:<user id>, google:<user id> or oidc:<issuer>#<subject>'
