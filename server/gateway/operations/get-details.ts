import { ServiceArguments } from '../../../shared/gateway.ts'
import type { RegistryEntry } from '../../../shared/registry.ts'
import { type NextActions, linksAction, searchAction, toolServerActions } from '../next-actions.ts'
import { toolAnswer } from '../tool-result.ts'
import { findService } from './find-target.ts'
import { operation } from './operation.ts'

/** Returns everything that the registry knows about a service. */
export const getDetails = operation(ServiceArguments, (given, call, dependencies) => {
  const found = findService(given, call, dependencies)
  if (!found.ok) return found.refused
  return toolAnswer({ ...found.details, next_actions: nextActions(found.details) })
})

function nextActions(details: RegistryEntry): NextActions {
  const { chain, category, mcp, links } = details
  const more = searchAction({ chain, category }, 'finds others of its category on this chain')
  const [first = more, ...others] = [
    ...(mcp === null ? [] : toolServerActions(details, mcp)),
    ...(links.length === 0 ? [] : [linksAction(details)]),
  ]
  return [first, ...others]
}
