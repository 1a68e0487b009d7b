import { ServiceArguments } from '../../../shared/gateway.ts'
import type { NextAction } from '../../../shared/gateway.ts'
import type { RegistryEntry } from '../../../shared/registry.ts'
import { answer } from '../outcome.ts'
import { readArguments } from '../tools/read-arguments.ts'
import { findService } from './find-service.ts'
import type { Operation } from './operation.ts'

/** Everything that the registry says of a service. */
export const getDetails: Operation = {
  name: 'get_details',
  run(given, call, parties) {
    const read = readArguments(ServiceArguments, given)
    if (!read.ok) return read.refused
    const found = findService(read.value, call, parties)
    if (!found.ok) return found.refused
    return answer({ ...found.details, next_actions: nextActions(found.details) })
  },
}

function nextActions({ service_id, chain, mcp, links }: RegistryEntry): NextAction[] {
  const actions: NextAction[] = []
  const named = { tool: 'execute', arguments: { service_id, chain } } as const
  if (mcp !== null)
    actions.push({ ...named, operation: 'connect_mcp', reason: 'connects to this tool server' })
  if (links.length > 0) actions.push({ ...named, operation: 'open_actions', reason: 'lists its links' })
  return actions
}
