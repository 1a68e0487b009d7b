import type { NextAction } from '../../../shared/gateway.ts'
import type { RegistryRefusal } from '../../../shared/registry.ts'
import { type NextActions, discoverNetworksAction, findServices } from '../next-actions.ts'
import { type ToolRefusal, toolRefusal } from '../tool-result.ts'

/** A longer list would fill a model's context with names. Nothing else lists the filters. */
const maxNames = 30
const maxFilters = 200

/** Converts a refusal of the registry, with the names that would have been valid. */
export function registryToolRefusal(
  { code, message, known }: RegistryRefusal,
  nextActions: NextActions = [nextAction(code)],
): ToolRefusal {
  const names = known.slice(0, code === 'unknown_filter' ? maxFilters : maxNames)
  return toolRefusal(code, message, nextActions, names.length === 0 ? {} : { known: names })
}

function nextAction(code: RegistryRefusal['code']): NextAction {
  switch (code) {
    case 'unknown_chain':
      return discoverNetworksAction
    case 'unknown_category':
    case 'unknown_filter':
    case 'unknown_service':
    case 'invalid_arguments':
      return findServices
  }
}
