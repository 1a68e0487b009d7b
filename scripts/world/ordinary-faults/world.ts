import { createTestInstallation } from '../gatehouse-process.ts'
import type { GatehouseProcess } from '../gatehouse-process.ts'
import { startVerifier } from '../verifier-process.ts'
import type { VerifierProcess } from '../verifier-process.ts'
import { waitUntil } from '../wait-until.ts'
import { createFakeClock } from './faketime.ts'
import type { FakeClock } from './faketime.ts'
import type { EndpointEdits } from './faults.ts'
import { startWatchedServices } from './services.ts'
import { followDecisions } from './timeline.ts'
import type { Timeline } from './timeline.ts'
import type { WatchedService } from './watched-service.ts'

/** A server with its own verifier and two others, as the console advises, and sixty services at default settings. */
export interface World {
  readonly services: readonly WatchedService[]
  readonly real: readonly string[]
  readonly timeline: Timeline
  readonly endpoints: EndpointEdits
  /** One of the two other verifiers. */
  readonly verifier: VerifierProcess
  /** The clock of the other one; null where it cannot be set. */
  readonly clock: FakeClock | null
  /** Ends the server as the kernel would, and starts it again. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Returns when every service is UP. */
export async function startWorld(): Promise<World> {
  const { services, chains, real, stop: stopServices } = await startWatchedServices()
  const changed = new Map<string, string>()
  const file = () => ({ chains, services: services.map((service) => fileEntryOf(service, changed)) })
  const installation = await createTestInstallation(file())
  let server = await installation.start()
  const timeline = followDecisions(
    server.url,
    services.map(({ id }) => id),
  )
  const verifiers: VerifierProcess[] = []
  const stop = async (): Promise<void> => {
    await timeline.stop()
    for (const { stop: end } of verifiers) await end()
    await installation.remove()
    await stopServices()
  }
  try {
    const clock = createFakeClock(`${installation.filePath}.offset`)
    const verifier = await startVerifier(server, 'north')
    verifiers.push(verifier)
    verifiers.push(await startVerifier(server, 'south', clock?.environment))
    await untilUp(services, timeline, server)
    return {
      services,
      real,
      timeline,
      endpoints: endpointsOf(changed, () => installation.writeFile(file())),
      verifier,
      clock,
      async restart() {
        await server.kill9()
        server = await installation.start()
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function endpointsOf(changed: Map<string, string>, write: () => void): EndpointEdits {
  return {
    set(serviceId, endpoint) {
      changed.set(serviceId, endpoint)
      write()
    },
    restore(serviceId) {
      changed.delete(serviceId)
      write()
    },
  }
}

/** Nothing but what a service needs: every threshold is the default. */
function fileEntryOf(service: WatchedService, changed: ReadonlyMap<string, string>): object {
  const { id, family, chain, provider, ca } = service
  return {
    id,
    name: id,
    family,
    ...(chain === null ? {} : { chain }),
    provider,
    endpoint: changed.get(id) ?? service.endpoint,
    ...(ca === null ? {} : { ca }),
  }
}

async function untilUp(
  services: readonly WatchedService[],
  timeline: Timeline,
  server: GatehouseProcess,
): Promise<void> {
  const others = () => services.filter(({ id }) => timeline.current(id) !== 'UP').map(({ id }) => id)
  try {
    await waitUntil('every service is UP', () => others().length === 0, 60_000)
  } catch (error) {
    const states = await Promise.all(
      others().map(async (id) => {
        const details: unknown = await (await fetch(`${server.url}/health/${id}/details`)).json()
        return `${id}: ${JSON.stringify(details)}`
      }),
    )
    throw new Error(`not UP:\n${states.join('\n')}`, { cause: error })
  }
}
