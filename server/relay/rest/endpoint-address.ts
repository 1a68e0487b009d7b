import { askedOrigin, type PublicAddress } from '../../platform/http/public-address.ts'
import type { AuthenticatedRequest } from '../authenticated-request.ts'

/**
 * Returns the address of an endpoint as its caller has it: what stands before the path, without a key that came in a header.
 * `address` is the configured one of the installation; where there is none, the caller knows best where it is.
 */
export function endpointAddress(
  { request, path }: Pick<AuthenticatedRequest, 'request' | 'path'>,
  address: PublicAddress | null,
): string {
  const { url, headers } = request
  const slash = url.indexOf('/', 'https://'.length)
  const mark = url.indexOf('?')
  const end = (mark < 0 ? url.length : mark) - (path?.length ?? 0)
  const origin = address === null ? url.slice(0, slash) : askedOrigin(headers, address)
  return origin + url.slice(slash, end)
}
