import type { NextAction } from '../../../shared/gateway.ts'
import type { RegistryRefusal } from '../../../shared/registry.ts'
import { discoverNetworksAction, findServices } from '../next-actions.ts'
import { type ToolRefusal, toolRefusal } from '../tool-result.ts'

/** A longer list would fill a model's context with names. */
const maxNames = 30

/** Converts a refusal of the registry, with the names that would have been valid. */
export function registryToolRefusal({ code, message, known }: RegistryRefusal): ToolRefusal {
  const names = known.slice(0, maxNames)
  return toolRefusal(code, message, [nextAction(code)], names.length === 0 ? {} : { known: names })
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
