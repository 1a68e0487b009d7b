import { createTestWallet } from './test-wallet.ts'
import type { TestWallet } from './test-wallet.ts'
import type { SignInResult, WalletChallenge } from '../../shared/accounts.ts'

/** Somebody who has signed in at a running server, as the console does it: with a wallet, by HTTP. */
export interface SignedInClient extends SignInResult {
  readonly wallet: TestWallet
  /** By name. */
  readonly cookies: ReadonlyMap<string, string>
  /** Sends a request with the session's cookie, as a page of the installation does. */
  send(path: string, init?: RequestInit): Promise<Response>
  /** Calls a procedure; resolves with the status and what tRPC answers. */
  query(procedure: string): Promise<ProcedureAnswer>
  mutate(procedure: string, input?: unknown): Promise<ProcedureAnswer>
}

export interface ProcedureAnswer {
  readonly status: number
  /** Of a call that succeeded. */
  readonly data: unknown
  /** Of one that did not. */
  readonly error: unknown
}

/** Throws when the server does not let it in. `origin` is that of the page, if it is not the address of the server. */
export async function signInAt(
  url: string,
  wallet = createTestWallet(),
  origin = url,
): Promise<SignedInClient> {
  const cookies = new Map<string, string>()

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('origin', origin)
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await fetch(`${url}${path}`, { ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split('=', 2)
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }

  const post = (path: string, body?: unknown): Promise<Response> =>
    send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body ?? {}),
    })

  const challenge = await post('/auth/wallet/challenge', { address: wallet.address, chainId: 1 })
  if (!challenge.ok) throw new Error(`no challenge: ${await challenge.text()}`)
  const { message } = (await challenge.json()) as WalletChallenge
  const proof = await post('/auth/wallet/verify', { message, signature: wallet.sign(message) })
  if (!proof.ok) throw new Error(`not signed in: ${await proof.text()}`)

  return {
    ...((await proof.json()) as SignInResult),
    wallet,
    cookies,
    send,
    query: async (procedure) => answerOf(await send(`/trpc/${procedure}`)),
    mutate: async (procedure, input) => answerOf(await post(`/trpc/${procedure}`, input)),
  }
}

async function answerOf(response: Response): Promise<ProcedureAnswer> {
  const { result, error } = (await response.json()) as { result?: { data?: unknown }; error?: unknown }
  return { status: response.status, data: result?.data, error }
}
