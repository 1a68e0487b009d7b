import { Elysia } from 'elysia'
import * as z from 'zod/mini'

import { type AdminListQuery, IfMatchHeaders } from '../../shared/admin-resources.ts'
import { IdempotencyHeaders } from '../../shared/query-keys.ts'
import type { ApiKeyGuard, AuthorizedKey } from '../api-keys/api-keys.ts'
import { type Fault, fault } from '../platform/fault.ts'
import { AnyFields, readChange } from '../platform/http/read-change.ts'
import { refusals } from '../platform/http/refusals.ts'
import { jsonBody } from '../platform/http/request-body.ts'
import type { ChangesInTurn, KeptCreation } from './changes-in-turn.ts'
import { describeChange, describeCreate, describeDelete, describeGet, describeList } from './described.ts'
import { type EntityTags, requireMatch } from './entity-tags.ts'
import { type ActAs, type Operator, withFaults } from './operator.ts'
import type { Changing, Creating, Refused, Removing, Resource } from './resource.ts'

interface MountParts {
  readonly guard: ApiKeyGuard
  readonly actAs: ActAs
  readonly changes: ChangesInTurn
  readonly tags: EntityTags
}

/** What a handler gets of a request that the guard and the schemas have let through. */
interface Asked {
  readonly apiKey: AuthorizedKey
  readonly request: Request
  readonly params: { readonly id: string }
  readonly headers: { readonly 'if-match'?: string | undefined }
}

interface Tagged {
  readonly item: object
  readonly tag: string
}

const noStore = { 'cache-control': 'no-store' } as const
const needs = 'installation'

const json = (body: object, headers: Record<string, string> = {}, status = 200): Response =>
  Response.json(body, { status, headers: { ...noStore, ...headers } })

const isRefused = (verb: object): verb is Refused => 'refused' in verb

/** Mounts the five routes of a resource. */
export function mountResource(resource: Resource, parts: MountParts) {
  const { guard } = parts
  const { path, view, id } = resource
  const app = new Elysia({ name: `admin-${path}` }).use(guard)
  const all = `/admin/${path}`
  const one = `${all}/:id`
  const answers = answersOf(resource, parts)
  const params = z.strictObject({ id })
  const items = z.object({ items: z.array(view), nextCursor: z.nullable(z.string()) })

  app.get(all, answers.list, {
    needs,
    query: resource.query,
    detail: describeList(resource),
    response: { 200: items, ...refusals(422) },
  })
  app.get(one, answers.get, {
    needs,
    params,
    detail: describeGet(resource),
    response: { 200: view, ...refusals(404) },
  })

  const { creating, changing, removing } = resource
  const allowed = { all: allowText(creating), one: allowText(changing, removing) }
  // Without a look at the key: what no address has, nobody is kept from.
  if (isRefused(creating)) app.post(all, refusing(creating, allowed.all))
  else
    app.post(all, answers.create(creating), {
      needs,
      parse: jsonBody(creating),
      headers: IdempotencyHeaders,
      body: withExample(creating),
      detail: describeCreate(resource, creating.about),
      response: { 201: creating.view ?? view, ...refusals(404, 409, 422) },
    })
  if (isRefused(changing)) app.patch(one, refusing(changing, allowed.one))
  else
    app.patch(one, answers.change(changing), {
      needs,
      parse: jsonBody(),
      params,
      headers: IfMatchHeaders,
      body: AnyFields,
      detail: { ...describeChange(resource, changing.about), reads: { body: withExample(changing) } },
      response: { 200: view, ...refusals(404, 409, 412, 422) },
    })
  if (isRefused(removing)) app.delete(one, refusing(removing, allowed.one))
  else
    app.delete(one, answers.remove(removing), {
      needs,
      params,
      headers: IfMatchHeaders,
      detail: describeDelete(resource, removing.about),
      response: refusals(404, 409, 412),
    })
  return app
}

/** What each route answers. */
function answersOf(resource: Resource, { actAs, changes, tags }: MountParts) {
  const { path } = resource

  async function read(operator: Operator, named: string): Promise<Tagged> {
    const { id = named, item, version } = await resource.find(operator, named)
    return { item, tag: tags.tagOf(path, id, version) }
  }

  const acting = <T>(
    { apiKey, request }: Pick<Asked, 'apiKey' | 'request'>,
    work: (operator: Operator) => Promise<T>,
  ) => withFaults(() => work(actAs(apiKey, request)))

  /** Runs a change of something that is there and is what the caller read. */
  const changed = <T>(asked: Asked, work: (operator: Operator, found: Tagged) => Promise<T>): Promise<T> =>
    acting(asked, (operator) =>
      changes.change(async () => {
        const found = await read(operator, asked.params.id)
        requireMatch(asked.headers['if-match'], found.tag)
        return await work(operator, found)
      }),
    )

  return {
    list: (asked: Pick<Asked, 'apiKey' | 'request'> & { readonly query: AdminListQuery }) =>
      acting(asked, async (operator) => json(await resource.list(operator, asked.query))),

    get: (asked: Pick<Asked, 'apiKey' | 'request' | 'params'>) =>
      acting(asked, async (operator) => {
        const { item, tag } = await read(operator, asked.params.id)
        return json(item, { etag: tag })
      }),

    create:
      (creating: Creating<unknown>) =>
      (asked: Pick<Asked, 'apiKey' | 'request'> & { body: unknown; headers: IdempotencyFields }) =>
        acting(asked, async (operator) => {
          const { body } = asked
          const { accountId } = operator
          const { 'idempotency-key': idempotencyKey = null } = asked.headers
          const { item, tag, location } = await changes.create(
            { accountId, idempotencyKey, path, body },
            async (): Promise<KeptCreation> => {
              const { id, once = {} } = await creating.create(operator, body)
              const made = await read(operator, id)
              const address = `/admin/${path}/${encodeURIComponent(id)}`
              return { item: { ...made.item, ...once }, tag: made.tag, location: address }
            },
          )
          return json(item, { etag: tag, location }, 201)
        }),

    change: (changing: Changing<unknown>) => (asked: Asked & { readonly body: z.infer<typeof AnyFields> }) =>
      changed(asked, async (operator, found) => {
        const { id } = asked.params
        const change = readChange(changing.body, asked.body, found.item)
        if (change !== null) await changing.change(operator, id, change)
        const { item, tag } = change === null ? found : await read(operator, id)
        return json(item, { etag: tag })
      }),

    remove: (removing: Removing) => (asked: Asked) =>
      changed(asked, async (operator) => {
        await removing.remove(operator, asked.params.id)
        return new Response(null, { status: 204, headers: noStore })
      }),
  }
}

type IdempotencyFields = z.infer<typeof IdempotencyHeaders>

/** Says of what means nothing here why it does not, to who could do it elsewhere. */
const refusing =
  ({ refused }: Refused, allow: string) =>
  (): Fault => {
    throw fault('method_not_allowed', refused, { headers: { allow } })
  }

const methodOf = (verb: object): string => ('create' in verb ? 'POST' : 'change' in verb ? 'PATCH' : 'DELETE')

const allowText = (...verbs: readonly object[]): string =>
  ['GET', 'HEAD', ...verbs.flatMap((verb) => (isRefused(verb) ? [] : [methodOf(verb)]))].join(', ')

const withExample = ({ body, example }: Pick<Creating<unknown>, 'body' | 'example'>): z.ZodMiniType =>
  body.check(z.meta({ examples: [example] }))
