import type { NextAction } from '../../../shared/gateway.ts'
import type { RegistryRefusal } from '../../../shared/registry.ts'
import { type Refused, refuse } from '../outcome.ts'

/** More would fill the context of a model with names. */
const maxNames = 30

/** What the registry refuses, with the names that would have been right. */
export function refusedBy({ code, message, known }: RegistryRefusal): Refused {
  const names = known.slice(0, maxNames)
  return refuse(code, message, [nextAction(code)], names.length === 0 ? {} : { known: names })
}

function nextAction(code: RegistryRefusal['code']): NextAction {
  switch (code) {
    case 'unknown_chain':
      return { tool: 'discover_networks', reason: 'lists every chain key' }
    case 'unknown_category':
      return { tool: 'discover_categories', reason: 'lists the categories of a chain' }
    case 'unknown_filter':
    case 'unknown_service':
    case 'invalid_arguments':
      return { tool: 'search', reason: 'finds services and their service_id' }
  }
}
