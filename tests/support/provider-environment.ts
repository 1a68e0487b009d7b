import type { TestIdentityProvider } from '../../scripts/world/identity-provider.ts'

/** The settings by which people sign in at one test provider: as GitHub, as Google, and by OpenID Connect. */
export const providerEnvironment = ({ url, issuer }: TestIdentityProvider): Record<string, string> => ({
  GATEHOUSE_GITHUB_CLIENT_ID: 'client-of-github',
  GATEHOUSE_GITHUB_CLIENT_SECRET: 'secret-of-github',
  GATEHOUSE_GITHUB_AUTHORIZE_URL: `${url}/authorize`,
  GATEHOUSE_GITHUB_TOKEN_URL: `${url}/token`,
  GATEHOUSE_GITHUB_USER_URL: `${url}/userinfo`,
  GATEHOUSE_GOOGLE_CLIENT_ID: 'client-of-google',
  GATEHOUSE_GOOGLE_CLIENT_SECRET: 'secret-of-google',
  GATEHOUSE_GOOGLE_AUTHORIZE_URL: `${url}/authorize`,
  GATEHOUSE_GOOGLE_TOKEN_URL: `${url}/token`,
  GATEHOUSE_GOOGLE_JWKS_URL: `${url}/jwks`,
  GATEHOUSE_GOOGLE_ISSUER: issuer,
  GATEHOUSE_OIDC_ISSUER: issuer,
  GATEHOUSE_OIDC_CLIENT_ID: 'client-of-oidc',
  GATEHOUSE_OIDC_CLIENT_SECRET: 'secret-of-oidc',
  GATEHOUSE_OIDC_NAME: 'Kestrel ID',
})
