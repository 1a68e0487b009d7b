import { refuse } from '../outcome.ts'

/** The same for a connection that never was and for one of somebody else. */
export const unknownConnection = refuse(
  'unknown_connection',
  'There is no such connection: it was deleted, its session has ended, or it was never yours',
  [
    { tool: 'execute', operation: 'list_connections', reason: 'lists the connections there are' },
    { tool: 'execute', operation: 'connect_mcp', reason: 'makes one to a service, by its service_id' },
  ],
)
