import { HealthResponse } from '../../shared/health.ts'
import type { Decision, HealthResult } from '../../shared/health.ts'
import { ServiceDetails, ServiceHistory } from '../../shared/health-details.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'

/** What anybody may ask about the health of services. Every answer is checked against its schema. */
export interface HealthClient {
  read(id: string): Promise<HealthResult>
  details(id: string): Promise<ServiceDetails>
  history(id: string): Promise<ServiceHistory>
  /** Decisions of several services, in their order. */
  decisions(ids: readonly string[]): Promise<Decision[]>
  /** Waits until services have these decisions; says what they are instead when that does not happen in time. */
  until(expected: Readonly<Record<string, Decision>>, withinMs?: number): Promise<void>
}

export function healthClient(url: string): HealthClient {
  const read = async (id: string): Promise<HealthResult> => {
    const response = await fetch(`${url}/health/${id}`)
    if (response.status !== 200) throw new Error(`GET /health/${id} answers ${response.status}`)
    return HealthResponse.parse(await response.json()).result
  }
  const details = async (id: string) => ServiceDetails.parse(await getJson(`${url}/health/${id}/details`))
  const decisions = (ids: readonly string[]): Promise<Decision[]> =>
    Promise.all(ids.map(async (id) => (await read(id)).decision))

  return {
    read,
    details,
    history: async (id) => ServiceHistory.parse(await getJson(`${url}/health/${id}/history`)),
    decisions,
    async until(expected, withinMs = 20_000) {
      const ids = Object.keys(expected)
      const wanted = Object.values(expected)
      try {
        await waitUntil(
          `decisions ${JSON.stringify(expected)}`,
          async () => Bun.deepEquals(await decisions(ids), wanted),
          withinMs,
        )
      } catch (error) {
        const found = await Promise.all(ids.map((id) => describe(id, details)))
        throw new Error(`wanted ${JSON.stringify(expected)}, found:\n  ${found.join('\n  ')}`, {
          cause: error,
        })
      }
    },
  }
}

async function getJson(url: string): Promise<unknown> {
  const response = await fetch(url)
  if (response.status !== 200)
    throw new Error(`GET ${url} answers ${response.status}: ${await response.text()}`)
  return response.json()
}

async function describe(id: string, details: HealthClient['details']): Promise<string> {
  const { decision, reason, votes } = await details(id)
  const said = votes.map(
    ({ vote, reason: why, lagBlocks, ageMs }) => `${vote} ${why} ${lagBlocks} blocks ${ageMs} ms`,
  )
  return `${id} ${decision} (${reason}): ${said.join('; ')}`
}
