/**
 * Everything by REST: what operators do in the console, a program does under `/admin` with an API key of the permission
 * Installation.
 *
 * 1. `resource.ts` says what a resource is, and `resources.ts` names them all; each file of `resources/` joins one to the
 *    procedures that the console and the command line call, so that schemas, refusals and audit entries are the same.
 *    `one-list.ts` reads those that the console has in one list.
 * 2. `mount.ts` makes the five routes of a resource: list, create, and get, change and delete of one. `described.ts` is what the
 *    API's description says of them.
 * 3. `operator.ts` calls the procedures on behalf of the key's account. The guard has found that it is an operator's now; the
 *    audit log names the key.
 * 4. `pages.ts` cuts lists into pages, `entity-tags.ts` compares versions, and `changes-in-turn.ts` has one change follow
 *    another in the whole installation and answers repeated requests as the first one.
 *
 * Decisions. A field that is sent as it is shown is no change, so that all that was read can be sent back. `If-Match` may be left
 * out, as in Kubernetes and GitHub's API: then a change holds for whatever is there. An ETag stands for what can be changed,
 * secrets included, and not for counts and states that change by themselves; so there is no 304. What has no meaning for a
 * resource is a 405 that says why. Instants are epoch ms, as the console has them.
 *
 * Failures: what a procedure refuses is answered as it is. A change whose answer was lost can be repeated with its
 * `Idempotency-Key`; where the process died in between, the repetition is refused because the name is taken. Only a service that
 * was sent without an `id` got one of its own each time: it can then be there twice.
 *
 * Known limitations: changes of one thing in the console and by REST in the same milliseconds are told apart for endpoints only.
 * Changes wait for each other, so a thousand take a minute. Who sends back all of a thing is refused when a count or a state of
 * it has changed by itself since it was read.
 */
import type { ApiKeyGuard } from '../api-keys/api-keys.ts'
import type { AppRouter } from '../compose/router.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Vault } from '../platform/vault.ts'
import { createChangesInTurn } from './changes-in-turn.ts'
import { createEntityTags } from './entity-tags.ts'
import { mountResource } from './mount.ts'
import { type WholeThings, createActAs } from './operator.ts'
import { adminResources } from './resources.ts'

interface AdminApiParts {
  readonly router: AppRouter
  readonly guard: ApiKeyGuard
  readonly database: Database
  readonly vault: Vault
  /** For hashes that say nothing to who does not have it; the same in every process. */
  readonly secret: Buffer
  readonly whole: WholeThings
  readonly now: () => number
  readonly log: Log
}

/** The routes under `/admin`. */
export function adminRoutes({ router, guard, whole, secret, ...core }: AdminApiParts) {
  const parts = {
    guard,
    actAs: createActAs(router, whole),
    changes: createChangesInTurn({ ...core, secret }),
    tags: createEntityTags(secret),
  }
  return adminResources.map((one) => mountResource(one, parts))
}
