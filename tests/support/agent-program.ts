import type { OAuthClientProvider } from '@modelcontextprotocol/client'

import type { AgentAnswer } from '../../shared/agents.ts'
import type { SignedInClient } from '../../scripts/world/signed-in-client.ts'

/** Where the program listens for the answer of whoever lets it in. */
export const programRedirect = 'http://127.0.0.1:49152/callback'

type Tokens = NonNullable<Awaited<ReturnType<OAuthClientProvider['tokens']>>>

/** What a program that knows only OAuth keeps; both SDKs take it. */
export interface AgentProgram extends OAuthClientProvider {
  /** Where it would open a browser. */
  sentTo: URL | null
  kept: Tokens | undefined
}

export function agentProgram(name = 'A program'): AgentProgram {
  let verifier = ''
  let information: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>
  const program: AgentProgram = {
    sentTo: null,
    kept: undefined,
    redirectUrl: programRedirect,
    clientMetadata: {
      client_name: name,
      redirect_uris: [programRedirect],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
    state: () => 'xyz',
    clientInformation: () => information,
    saveClientInformation(given) {
      information = given
    },
    tokens: () => program.kept,
    saveTokens(tokens) {
      program.kept = tokens
    },
    redirectToAuthorization(url) {
      program.sentTo = url
    },
    saveCodeVerifier(given) {
      verifier = given
    },
    codeVerifier: () => verifier,
  }
  return program
}

/** Somebody who is signed in follows a program's link and agrees to all of it. Returns the address of the answer. */
export async function letIn(owner: SignedInClient, link: URL): Promise<URL> {
  const page = await fetch(link, { redirect: 'manual' })
  const query = new URL(page.headers.get('location') ?? '').search.slice(1)
  const shown = (await owner.mutate('agents.ask', { query })).data as AgentAnswer
  if (shown.kind !== 'ask') throw new Error(`nothing to agree to: ${JSON.stringify(shown)}`)
  const { fingerprint, scopes } = shown.request
  const { data, error } = await owner.mutate('agents.decide', { query, fingerprint, scopes })
  if (error) throw new Error(`not decided: ${JSON.stringify(error)}`)
  return new URL((data as { redirectTo: string }).redirectTo)
}
