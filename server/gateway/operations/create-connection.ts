import { ConnectionForm } from '../../../shared/connections.ts'
import { CreateConnectionArguments } from '../../../shared/gateway.ts'
import { downstreamServiceOf } from '../service-of-entry.ts'
import { connectAgain, detailsAction } from '../next-actions.ts'
import { toolAnswer, readToolArguments } from '../tool-result.ts'
import { connectionEntry } from './connection-entry.ts'
import { findService, notAToolServer } from './find-target.ts'
import { accountOperation } from './operation.ts'

/** Saves credentials for a service, or by OAuth, the wish for them; owned by the account of the caller. */
export const createConnection = accountOperation(
  CreateConnectionArguments,
  async (given, author, call, dependencies) => {
    const found = findService(given, call, dependencies)
    if (!found.ok) return found.refused
    const service = downstreamServiceOf(found.details)
    if (service === null) return notAToolServer(found.details)
    const { credentials, label } = given
    const form = readToolArguments(
      ConnectionForm,
      {
        serviceId: service.serviceId,
        chain: service.chain,
        auth: credentials.kind === 'oauth' ? 'oauth' : 'secret',
        secret: credentials.secret ?? null,
        headerName: credentials.header_name ?? null,
        label: label ?? null,
      },
      [detailsAction({ service_id: service.serviceId, chain: service.chain })],
    )
    if (!form.ok) return form.refused
    const { secret, headerName } = form.value
    const made = await dependencies.connections.create(author, {
      service,
      secret,
      headerName,
      label: form.value.label,
    })
    return toolAnswer({
      ...connectionEntry(made),
      next_actions: [connectAgain(made)],
    })
  },
)
