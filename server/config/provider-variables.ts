import {
  type Variable,
  chainRpcs,
  httpAddress,
  issuerAddress,
  shownName,
  someText,
} from './variable-schemas.ts'

/** Variables about proving who somebody is: nodes for contract wallets, GitHub, Google and OpenID Connect. */
export const providerVariables = {
  GATEHOUSE_CHAIN_RPC: {
    schema: chainRpcs,
    fallback: '',
    isSecret: true,
    about: 'nodes that check the signatures of contract wallets at sign-in, as <chain id>=<address>,…',
  },
  GATEHOUSE_GITHUB_CLIENT_ID: {
    schema: someText('a text'),
    fallback: null,
    about: 'OAuth app with which people sign in by GitHub; its callback is <public url>/auth/callback/github',
  },
  GATEHOUSE_GITHUB_CLIENT_SECRET: {
    schema: someText('a text'),
    fallback: null,
    isSecret: true,
    about: 'secret of that app',
  },
  GATEHOUSE_GITHUB_AUTHORIZE_URL: {
    schema: httpAddress,
    fallback: 'https://github.com/login/oauth/authorize',
    about: 'for GitHub Enterprise',
  },
  GATEHOUSE_GITHUB_TOKEN_URL: {
    schema: httpAddress,
    fallback: 'https://github.com/login/oauth/access_token',
    about: 'for GitHub Enterprise',
  },
  GATEHOUSE_GITHUB_USER_URL: {
    schema: httpAddress,
    fallback: 'https://api.github.com/user',
    about: 'for GitHub Enterprise',
  },
  GATEHOUSE_GOOGLE_CLIENT_ID: {
    schema: someText('a text'),
    fallback: null,
    about:
      'OAuth client with which people sign in by Google; its callback is <public url>/auth/callback/google',
  },
  GATEHOUSE_GOOGLE_CLIENT_SECRET: {
    schema: someText('a text'),
    fallback: null,
    isSecret: true,
    about: 'secret of that client',
  },
  GATEHOUSE_GOOGLE_AUTHORIZE_URL: {
    schema: httpAddress,
    fallback: 'https://accounts.google.com/o/oauth2/v2/auth',
    about: 'for another OpenID Connect provider in place of Google',
  },
  GATEHOUSE_GOOGLE_TOKEN_URL: {
    schema: httpAddress,
    fallback: 'https://oauth2.googleapis.com/token',
    about: 'for another OpenID Connect provider in place of Google',
  },
  GATEHOUSE_GOOGLE_JWKS_URL: {
    schema: httpAddress,
    fallback: 'https://www.googleapis.com/oauth2/v3/certs',
    about: 'for another OpenID Connect provider in place of Google',
  },
  GATEHOUSE_GOOGLE_ISSUER: {
    schema: someText('the iss of its ID tokens'),
    fallback: 'https://accounts.google.com',
    about: 'for another OpenID Connect provider in place of Google',
  },
  GATEHOUSE_OIDC_ISSUER: {
    schema: issuerAddress,
    fallback: null,
    about:
      'a provider of OpenID Connect with which people sign in, beside GitHub and Google: to the letter the issuer of its discovery document',
  },
  GATEHOUSE_OIDC_CLIENT_ID: {
    schema: someText('a text'),
    fallback: null,
    about: 'client that is registered there; its callback is <public url>/auth/callback/oidc',
  },
  GATEHOUSE_OIDC_CLIENT_SECRET: {
    schema: someText('a text'),
    fallback: null,
    isSecret: true,
    about: 'secret of that client',
  },
  GATEHOUSE_OIDC_NAME: {
    schema: shownName,
    fallback: null,
    about: 'what people know that provider by; the host of its issuer when not set',
  },
  GATEHOUSE_OIDC_GROUPS_CLAIM: {
    schema: someText('the name of a claim'),
    fallback: 'groups',
    about: 'the claim of that provider that oidc-group: of GATEHOUSE_SIGN_UP_ALLOW looks into',
  },
} as const satisfies Record<string, Variable>
