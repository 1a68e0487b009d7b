import { ConnectionPatch, ConnectionResource } from '../../../shared/admin-access-resources.ts'
import { ConnectionById, ConnectionForm, type ConnectionView } from '../../../shared/connections.ts'
import { oneList } from '../one-list.ts'
import { resource } from '../resource.ts'

const connections = oneList<ConnectionView>({
  all: ({ call }) => call.connections.list(),
  idOf: ({ id }) => id,
  versionOf: ({ label, use, contentKeptUntil }) => ({ label, use, contentKeptUntil }),
  missing: 'There is no such connection',
})

/** Saved connections to tool servers, of the account that the key belongs to: as in the console, operators see no others. */
export const adminConnections = resource({
  path: 'connections',
  name: 'Connection',
  one: "a saved connection of the key's account",
  many: "saved connections of the key's account",
  view: ConnectionResource,
  id: ConnectionById.shape.id,
  ...connections.reading,
  creating: {
    body: ConnectionForm,
    example: { serviceId: 'mcpservers:example', secret: 'the-token-of-its-provider', label: 'Example' },
    about: 'No answer has the secret. Consent to one by OAuth is given in the console.',
    create: ({ call }, form) => call.connections.create(form),
  },
  changing: {
    body: ConnectionPatch,
    example: { use: { onChange: 'block' } },
    about: 'One field at a time. For another secret make another connection.',
    change: ({ call }, id, { use, label = null, keepContentHours: hours }) => {
      if (use !== undefined) return call.connections.updateUse({ ...use, id })
      if (hours !== undefined) return call.connections.keepContent({ id, hours })
      return call.connections.updateLabel({ id, label })
    },
  },
  removing: { remove: ({ call }, id) => call.connections.delete({ id }) },
})
