import { ServiceArguments } from '../../../shared/gateway.ts'
import { answer } from '../outcome.ts'
import { readArguments } from '../tools/read-arguments.ts'
import { findService } from './find-service.ts'
import type { Operation } from './operation.ts'

/** Where the buttons and links of a service lead: http, https and mailto only. */
export const openActions: Operation = {
  name: 'open_actions',
  run(given, call, parties) {
    const read = readArguments(ServiceArguments, given)
    if (!read.ok) return read.refused
    const found = findService(read.value, call, parties)
    if (!found.ok) return found.refused
    const { service_id, chain, other_chains, title, links } = found.details
    return answer({ service_id, chain, other_chains, title, actions: links, total: links.length })
  },
}
