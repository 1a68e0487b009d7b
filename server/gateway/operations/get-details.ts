import { ServiceArguments, type NextAction } from '../../../shared/gateway.ts'
import type { RegistryEntry } from '../../../shared/registry.ts'
import { toolAnswer } from '../tool-result.ts'
import { readToolArguments } from '../tools/read-arguments.ts'
import { findService } from './find-target.ts'
import type { Operation } from './operation.ts'

/** Returns everything that the registry knows about a service. */
export const getDetails: Operation = {
  name: 'get_details',
  run(given, call, dependencies) {
    const read = readToolArguments(ServiceArguments, given)
    if (!read.ok) return read.refused
    const found = findService(read.value, call, dependencies)
    if (!found.ok) return found.refused
    return toolAnswer({ ...found.details, next_actions: nextActions(found.details) })
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
