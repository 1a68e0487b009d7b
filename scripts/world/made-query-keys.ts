import type { SignedInClient } from './signed-in-client.ts'

/** An entry of `POST /account/create-api-keys`. */
export interface QueryKeyWish {
  readonly name: string
  readonly endpoint: string
  readonly rateLimit?: number
  readonly rateLimitPeriod?: string
  readonly creditsLimit?: number
  readonly creditsLimitPeriod?: string
}

export interface MadeQueryKey {
  readonly id: string
  /** The value, `gqk_…`. */
  readonly key: string
}

/** Makes query keys as a program of the account would: with an API key that may do that. */
export async function makeQueryKeys(
  owner: SignedInClient,
  url: string,
  wishes: readonly QueryKeyWish[],
): Promise<MadeQueryKey[]> {
  const made = await owner.mutate('apiKeys.create', { name: 'maker', permissions: ['token_create'] })
  const { value } = made.data as { value: string }
  const response = await fetch(`${url}/account/create-api-keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${value}` },
    body: JSON.stringify(wishes),
  })
  if (response.status !== 201) throw new Error(`no query keys: ${response.status} ${await response.text()}`)
  return (await response.json()) as MadeQueryKey[]
}
