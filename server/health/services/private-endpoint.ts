import type { StreamingEgress } from '../../platform/egress.ts'

/** Why an endpoint may not be probed, for whoever registers it; null when nothing speaks against it. */
export async function refusalOfEndpoint(
  egress: Pick<StreamingEgress, 'refusalOf'>,
  endpoint: string,
): Promise<string | null> {
  if ((await egress.refusalOf(withoutUserinfo(endpoint))) !== 'ADDRESS') return null
  return 'a private address; an operator can allow it with GATEHOUSE_ALLOW_PRIVATE'
}

/** Bitcoin nodes have their credentials in the address; the probe sends them as a header. */
function withoutUserinfo(endpoint: string): string {
  const url = new URL(endpoint)
  url.username = ''
  url.password = ''
  return url.href
}
