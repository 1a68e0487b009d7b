import { ServiceArguments } from '../../../shared/gateway.ts'
import { detailsAction } from '../next-actions.ts'
import { toolAnswer } from '../tool-result.ts'
import { findService } from './find-target.ts'
import { operation } from './operation.ts'

/** Lists the links of a service; their schemes are http, https and mailto only. */
export const openActions = operation(ServiceArguments, (given, call, dependencies) => {
  const found = findService(given, call, dependencies)
  if (!found.ok) return found.refused
  const { service_id, chain, other_chains, title, links } = found.details
  return toolAnswer({
    service_id,
    chain,
    other_chains,
    title,
    actions: links,
    total: links.length,
    next_actions: [detailsAction({ service_id, chain })],
  })
})
