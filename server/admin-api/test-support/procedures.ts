import type * as z from 'zod/mini'

import { createRouter } from '../../compose/router.ts'

/** A router of which nothing is called: its schemas are what counts. */
const nothing: object = new Proxy(() => nothing, { get: () => nothing, apply: () => nothing })

/** Every procedure of the console and the command line, with the schemas of its inputs. */
export const { procedures } = createRouter(nothing as Parameters<typeof createRouter>[0])._def as unknown as {
  readonly procedures: Readonly<
    Record<string, { readonly _def: { readonly inputs: readonly z.ZodMiniType[] } }>
  >
}
