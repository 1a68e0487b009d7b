import { withoutCredentials } from '../../platform/address-credentials.ts'
import type { StreamingEgress } from '../../platform/egress.ts'

/** Why an endpoint may not be probed, for whoever registers it; null when nothing speaks against it. */
export async function refusalOfEndpoint(
  egress: Pick<StreamingEgress, 'refusalOf'>,
  endpoint: string,
): Promise<string | null> {
  if ((await egress.refusalOf(withoutCredentials(endpoint).url)) !== 'ADDRESS') return null
  return 'a private address; an operator can allow it with GATEHOUSE_ALLOW_PRIVATE'
}
