import type * as z from 'zod/mini'

import type { AdminListQuery } from '../../shared/admin-resources.ts'
import type { Operator } from './operator.ts'
import type { Page } from './pages.ts'

/** A thing as it is answered, and all that can be changed of it. */
export interface Found {
  /** Its own id, where an address may name it by something else. */
  readonly id?: string
  readonly item: object
  readonly version: unknown
}

/** A request that means nothing for a resource, and why. */
export interface Refused {
  readonly refused: string
}

interface WithBody<Body> {
  readonly body: z.ZodMiniType<Body>
  /** A body for the API's description. */
  readonly example: object
  /** Beyond what the schema says. */
  readonly about?: string
}

export interface Creating<Body> extends WithBody<Body> {
  /** What the answer shows, where that is more than what can be read later. */
  readonly view?: z.ZodMiniType
  /** Bytes of the request; as of any other unless given. */
  readonly maxBytes?: number
  /** Returns the id of what was made, and fields of the answer that are shown this once. */
  create(operator: Operator, body: Body): Promise<{ readonly id: string; readonly once?: object }>
}

export interface Changing<Body> extends WithBody<Body> {
  /** `id` is of a thing that is there, and `body` names at least one field that is another one than is shown. */
  change(operator: Operator, id: string, body: Body): Promise<unknown>
}

export interface Removing {
  /** Beyond what the method says. */
  readonly about?: string
  remove(operator: Operator, id: string): Promise<unknown>
}

/**
 * One kind of thing under `/admin`. Its functions call procedures of the console, which validate and record; faults of theirs
 * are answered as they are.
 */
export interface Resource<
  Query extends AdminListQuery = AdminListQuery,
  CreateBody = unknown,
  ChangeBody = unknown,
> {
  /** The path below `/admin/`. */
  readonly path: string
  /** Such as `AlertRule`, for ids of operations. */
  readonly name: string
  /** Such as `an alert rule` and `alert rules`, for sentences. */
  readonly one: string
  readonly many: string
  readonly view: z.ZodMiniType
  /** What its items are called in addresses. */
  readonly id: z.ZodMiniType<string>
  readonly query: z.ZodMiniType<Query>
  list(operator: Operator, query: Query): Promise<Page<object>>
  /** Fault: `not_found`. */
  find(operator: Operator, id: string): Promise<Found>
  readonly creating: Creating<CreateBody> | Refused
  readonly changing: Changing<ChangeBody> | Refused
  readonly removing: Removing | Refused
}

/** Returns a resource whose functions get what its schemas let through. */
export const resource = <Query extends AdminListQuery, CreateBody, ChangeBody>(
  one: Resource<Query, CreateBody, ChangeBody>,
): Resource => one
