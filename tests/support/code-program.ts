import type { SignedInClient } from '../../scripts/world/signed-in-client.ts'
import { challengeOf } from '../../server/agent-access/token-values.ts'
import { letIn, programRedirect } from './agent-program.ts'

export interface IssuedTokens {
  readonly status: number
  readonly error?: string
  readonly access_token: string
  readonly refresh_token: string
}

/** A program that speaks OAuth by itself, at any process of an installation. */
export interface CodeProgram {
  readonly clientId: string
  /** The owner is asked and agrees; the code is not exchanged. */
  askForCode(): Promise<{ readonly code: string; readonly verifier: string }>
  exchange(code: { readonly code: string; readonly verifier: string }, url?: string): Promise<IssuedTokens>
  connect(): Promise<IssuedTokens & { readonly code: string; readonly verifier: string }>
  refresh(refreshToken: string, url?: string): Promise<IssuedTokens>
}

/** Registers a program at a server, whose owner agrees to whatever it asks. */
export async function codeProgram(
  url: string,
  owner: SignedInClient,
  name = 'A program',
): Promise<CodeProgram> {
  const registered = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: name, redirect_uris: [programRedirect] }),
  })
  const { client_id: clientId } = (await registered.json()) as { client_id: string }
  let connections = 0

  async function token(at: string, fields: Readonly<Record<string, string>>): Promise<IssuedTokens> {
    const body = new URLSearchParams({ client_id: clientId, ...fields })
    const answer = await fetch(`${at}/oauth/token`, { method: 'POST', body })
    return { status: answer.status, ...((await answer.json()) as Omit<IssuedTokens, 'status'>) }
  }

  const program: CodeProgram = {
    clientId,
    async askForCode() {
      const verifier = `verifier-${++connections}-`.padEnd(43, crypto.randomUUID())
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: programRedirect,
        code_challenge: challengeOf(verifier),
        code_challenge_method: 'S256',
      })
      const back = await letIn(owner, new URL(`${url}/oauth/authorize?${query}`))
      return { code: back.searchParams.get('code') ?? '', verifier }
    },
    exchange: ({ code, verifier }, at = url) =>
      token(at, {
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: programRedirect,
      }),
    async connect() {
      const code = await program.askForCode()
      return { ...(await program.exchange(code)), ...code }
    },
    refresh: (refreshToken, at = url) =>
      token(at, { grant_type: 'refresh_token', refresh_token: refreshToken }),
  }
  return program
}
