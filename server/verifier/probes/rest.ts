import type { Target } from '../../../shared/verifier-protocol.ts'
import { accessOf, addressBelow } from './access.ts'
import { parseProbeAnswer } from './answer.ts'
import { failureOfStatus } from './http-status.ts'
import { type ProbeExchange, ProbeFailure } from './probe.ts'

/**
 * Gets a JSON document at a path below the endpoint's own.
 * @throws ProbeFailure
 */
export async function getJson(
  target: Pick<Target, 'endpoint' | 'headers'>,
  path: string,
  exchange: ProbeExchange,
  query: Record<string, string> = {},
): Promise<unknown> {
  const { url, headers } = accessOf(target)
  const response = await exchange({
    url: addressBelow(url, path, query),
    method: 'GET',
    headers: { accept: 'application/json', ...headers },
  })
  const failure = failureOfStatus(response.status)
  if (failure !== null) throw new ProbeFailure(failure)
  return parseProbeAnswer(response.text)
}
