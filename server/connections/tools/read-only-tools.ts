import type { Clock } from '../../platform/clock.ts'
import { withDeadlineSignal } from '../../platform/deadline.ts'
import { fault } from '../../platform/fault.ts'
import type { ListedTool } from '../call-results.ts'
import type { DownstreamLimits } from '../downstream/limits.ts'
import { timedOut } from '../downstream/failure.ts'
import type { DownstreamCalls } from '../downstream-calls.ts'
import type { Route } from '../route.ts'
import type { HeaderTools } from './call-tool.ts'
import { askableOf } from './askable.ts'
import { isChanged, seenList } from './pins.ts'
import { readTools } from './read-tools.ts'
import { RecentMap } from '../../platform/recent-map.ts'

export interface ReadOnlyToolsOptions {
  readonly downstreamCalls: Pick<DownstreamCalls, 'run'>
  readonly headerTools: HeaderTools
  readonly limits: DownstreamLimits
  readonly clock: Pick<Clock, 'monotonic'>
}

/**
 * Resolves to whether a tool's definition says that it only reads, and is as it was accepted. Lists the tools where that
 * is not known. Fault: `unavailable` when the tool server does not list them.
 */
export type IsReadOnlyTool = (route: Route, name: string, signal: AbortSignal) => Promise<boolean>

const validMs = 60_000
const maxServers = 1_000

export function createReadOnlyTools(options: ReadOnlyToolsOptions): IsReadOnlyTool {
  const { downstreamCalls, headerTools, limits, clock } = options
  const known = new RecentMap<string, { readonly names: ReadonlySet<string>; readonly at: number }>(
    maxServers,
  )

  async function namesOf(route: Route, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const names = await downstreamCalls.run(route, signal, 'calling', (downstream) =>
      withDeadlineSignal(signal, limits.callMs, timedOut, async (within) => {
        const { tools: definitions } = await readTools(downstream, limits, within)
        headerTools.remember(downstream, definitions)
        const pins = await route.pin(seenList(route.key, definitions), definitions)
        const readOnly = definitions.filter((one) => isReadOnly(one) && !isChanged(pins, route.key, one.name))
        return new Set(readOnly.map(({ name }) => name))
      }),
    )
    if ('outcome' in names)
      throw fault(
        'unavailable',
        'The tool server does not say now which of its tools only read: try again later',
      )
    return names
  }

  return async (route, name, signal) => {
    const { url, credentialVersion } = route.key
    const key = JSON.stringify([url, credentialVersion, askableOf(route.key)])
    const found = known.get(key)
    const isValid = found !== undefined && clock.monotonic() - found.at < validMs
    const names = isValid ? found.names : await namesOf(route, signal)
    if (!isValid) {
      known.set(key, { names, at: clock.monotonic() })
    }
    return names.has(name) && !isChanged(route.pins(), route.key, name)
  }
}

/** A tool without the annotation counts as one that writes. */
export function isReadOnly({ annotations }: ListedTool['definition']): boolean {
  return (
    typeof annotations === 'object' &&
    annotations !== null &&
    'readOnlyHint' in annotations &&
    annotations.readOnlyHint === true
  )
}
