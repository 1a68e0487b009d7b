import { z } from 'zod'

import { type SignedInClient, signInAt } from '../../scripts/world/signed-in-client.ts'

const Created = z.object({ key: z.object({ id: z.string() }), value: z.string() })

/** An API key of an account of its own. */
export interface GatewayKey {
  readonly id: string
  readonly value: string
  readonly owner: SignedInClient
}

/** Signs somebody new in, and makes an API key; with the permission Gateway Use unless others are named. */
export async function makeGatewayKey(
  url: string,
  permissions: readonly string[] = ['gateway_use'],
  owner?: SignedInClient,
): Promise<GatewayKey> {
  const account = owner ?? (await signInAt(url))
  const { data, error } = await account.mutate('apiKeys.create', { name: 'agent', permissions })
  if (error) throw new Error(`no API key: ${JSON.stringify(error)}`)
  const { key, value } = Created.parse(data)
  return { id: key.id, value, owner: account }
}
