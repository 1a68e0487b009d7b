import type { NextAction } from '../../../shared/gateway.ts'
import type { RegistryEntry } from '../../../shared/registry.ts'
import { type Refused, refuse } from '../outcome.ts'
import type { Parties } from '../parties.ts'
import { refusedBy } from '../tools/registry-refusal.ts'
import type { OperationCall } from './operation.ts'

type FoundService =
  | { readonly ok: true; readonly details: RegistryEntry }
  | { readonly ok: false; readonly refused: Refused }

interface NamedService {
  readonly service_id?: string | undefined
  readonly chain?: string | undefined
}

const findOne: NextAction = { tool: 'search', reason: 'finds services and their service_id' }

/** The service on the chain that is named, else on that of the latest search, else on the alphabetically first. */
export function findService(
  { service_id: serviceId, chain }: NamedService,
  { session }: OperationCall,
  { registry }: Parties,
): FoundService {
  if (serviceId === undefined) {
    const text = 'service_id is missing: a service such as mcpservers:example, as search returns it'
    return { ok: false, refused: refuse('invalid_arguments', text, [findOne]) }
  }
  const preferredChain = session.current?.chain ?? undefined
  const found = registry.find({ serviceId, chain, preferredChain })
  return found.ok ? { ok: true, details: found.value } : { ok: false, refused: refusedBy(found.refusal) }
}
