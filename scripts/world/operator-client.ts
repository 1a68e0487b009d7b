import { createTRPCClient, httpLink } from '@trpc/client'
import type { TRPCClient } from '@trpc/client'

import { privateFolder } from '../../server/config/data-folder.ts'
import { controlSocketPath } from '../../server/platform/http/control-socket.ts'
import type { AppRouter } from '../../server/compose/router.ts'

export type OperatorClient = TRPCClient<AppRouter>

/** The operator API as the command line reaches it: over the socket in the data folder of a server on this machine. */
export function operatorClient(dataDir: string): OperatorClient {
  const unix = controlSocketPath(privateFolder(dataDir))
  return createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: 'http://localhost/trpc',
        fetch: (input, options) => fetch(String(input), { ...(options as RequestInit), unix }),
      }),
    ],
  })
}
