import { ServiceArguments } from '../../../shared/gateway.ts'
import { toolAnswer } from '../tool-result.ts'
import { readToolArguments } from '../tools/read-arguments.ts'
import { findService } from './find-target.ts'
import type { Operation } from './operation.ts'

/** Lists the links of a service; their schemes are http, https and mailto only. */
export const openActions: Operation = {
  name: 'open_actions',
  run(given, call, dependencies) {
    const read = readToolArguments(ServiceArguments, given)
    if (!read.ok) return read.refused
    const found = findService(read.value, call, dependencies)
    if (!found.ok) return found.refused
    const { service_id, chain, other_chains, title, links } = found.details
    return toolAnswer({ service_id, chain, other_chains, title, actions: links, total: links.length })
  },
}
