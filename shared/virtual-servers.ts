import * as z from 'zod/mini'

import { connectionBounds } from './connections.ts'
import { anyObject, idText, lines, matching, nameText, text } from './text.ts'
import { noNameTwice } from './unique-names.ts'

/** Bounds of virtual servers. */
export const virtualServerBounds = {
  nameChars: 64,
  titleChars: 100,
  instructionsChars: 4_000,
  members: 50,
  /** Rules of one member. */
  tools: 500,
  toolNameChars: 128,
  prefixChars: 40,
  descriptionChars: 4_000,
  /** Virtual servers of one account. */
  perAccount: 100,
  /** JSON characters of the fixed arguments of one tool. */
  argumentChars: 16_384,
} as const

/** The last part of the address `/mcp/v/<name>`. */
export const VirtualServerName = matching(
  /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/,
  'expected 1 to 64 lower-case letters, digits and hyphens, without a hyphen at either end',
).check(z.meta({ examples: ['research'] }))

/** What clients may be shown as the name of a tool. */
const ToolName = matching(
  /^[A-Za-z0-9_.-]{1,128}$/,
  'expected 1 to 128 letters, digits, underscores, hyphens and dots',
)

const Prefix = matching(
  /^[A-Za-z0-9_.-]{0,40}$/,
  'expected up to 40 letters, digits, underscores, hyphens and dots',
)

/** Arguments that the virtual server gives itself: they are not in the schema that clients see. */
const FixedArguments = anyObject().check(
  z.refine(
    (values) => JSON.stringify(values).length <= virtualServerBounds.argumentChars,
    `expected at most ${virtualServerBounds.argumentChars} characters of JSON`,
  ),
)

/** What is different for one tool of a member. */
export const VirtualToolRule = z.strictObject({
  tool: text({ max: 256 }), // as the tool server calls it
  allow: z._default(z.boolean(), true),
  rename: z.optional(ToolName), // the whole name; the prefix is not put before it
  description: z.optional(lines({ max: virtualServerBounds.descriptionChars })),
  arguments: z.optional(FixedArguments),
})
export type VirtualToolRule = z.infer<typeof VirtualToolRule>

const hasOneTarget = (member: { connection?: unknown; service?: unknown; gateway?: unknown }): boolean =>
  [member.connection, member.service, member.gateway].filter((target) => target !== undefined).length === 1

/** A saved connection, a tool server of the registry that wants no credentials, or the gateway's own five tools. */
export const VirtualMember = z
  .strictObject({
    connection: z.optional(idText(300)),
    service: z.optional(idText(connectionBounds.serviceIdChars)),
    chain: z.optional(idText(connectionBounds.chainChars)), // of the service; else its alphabetically first one
    gateway: z.optional(z.literal(true)),
    prefix: z._default(Prefix, ''),
    /** Of tools without a rule: `deny` lets in those only that a rule allows. */
    others: z._default(z.enum(['allow', 'deny']), 'allow'),
    tools: z._default(
      z.array(VirtualToolRule).check(
        z.maxLength(virtualServerBounds.tools),
        z.refine(
          (rules) => new Set(rules.map(({ tool }) => tool)).size === rules.length,
          'expected one rule for each tool',
        ),
      ),
      [],
    ),
  })
  .check(z.refine(hasOneTarget, 'expected one of connection, service and gateway'))
export type VirtualMember = z.infer<typeof VirtualMember>

/** `searchable`: clients see three tools, with which they search all others, read and call them. */
export const VirtualServerMode = z.enum(['all', 'searchable'])

/** A named set of tools under one address, as its owner or the installation's file describes it. */
export const VirtualServerSpec = z.strictObject({
  name: VirtualServerName,
  title: z.optional(nameText(virtualServerBounds.titleChars)),
  instructions: z.optional(lines({ max: virtualServerBounds.instructionsChars })),
  mode: z._default(VirtualServerMode, 'all'),
  members: z.array(VirtualMember).check(z.minLength(1), z.maxLength(virtualServerBounds.members)),
})
export type VirtualServerSpec = z.infer<typeof VirtualServerSpec>

const noConnections = (servers: readonly VirtualServerSpec[]): boolean =>
  servers.every(({ members }) => members.every(({ connection }) => connection === undefined))

/** Virtual servers of the installation's file, which every account has. */
export const VirtualServersSection = z
  .array(VirtualServerSpec)
  .check(
    z.maxLength(virtualServerBounds.perAccount),
    noNameTwice,
    z.refine(
      noConnections,
      'expected members that every account has: a service or the gateway; a saved connection belongs to one account',
    ),
  )

export const VirtualServerByName = z.strictObject({ name: VirtualServerName })

/** Replaces the virtual server of that name, or makes it. `isNew`: refuses when there is one. */
export const VirtualServerSave = z.strictObject({
  spec: VirtualServerSpec,
  isNew: z._default(z.boolean(), false),
})
export type VirtualServerSave = z.infer<typeof VirtualServerSave>

export const VirtualServerOfAccount = z.strictObject({ account: idText(200), name: VirtualServerName })
export const VirtualServerApply = z.strictObject({ account: idText(200), spec: VirtualServerSpec })

/** What the tools of a searchable virtual server take. */
const AnyToolName = text({ max: 256 }).check(z.meta({ description: 'as search_tools returns it' }))

export const SearchToolsInput = z.looseObject({
  query: z.optional(
    lines({ min: 0, max: 500 }).check(z.meta({ description: 'what you want to do, in a few words' })),
  ),
  limit: z._default(z.int().check(z.minimum(1), z.maximum(50)), 10),
  offset: z._default(z.int().check(z.minimum(0), z.maximum(100_000)), 0),
})

export const ReadToolInput = z.looseObject({ name: AnyToolName })

export const CallToolInput = z.looseObject({
  name: AnyToolName,
  arguments: z.optional(anyObject().check(z.meta({ description: 'as read_tool shows them' }))),
})

/** Who described a virtual server: its owner, the installation's file, or this program. */
export type VirtualServerOrigin = 'account' | 'file' | 'built_in'

/** A virtual server in lists. */
export interface VirtualServerView {
  readonly spec: VirtualServerSpec
  readonly managedBy: VirtualServerOrigin
  readonly url: string
  /** Epoch ms; null where it is not stored. */
  readonly updatedAt: number | null
}

/** One tool of a virtual server as clients see it. */
export interface VirtualToolView {
  readonly name: string
  readonly description: string | null
  /** The index of its member, and what that calls the tool. */
  readonly member: number
  readonly tool: string
  readonly changed: boolean
  /** True when it has another name than was asked for, because that was taken. */
  readonly isRenamed: boolean
}

/** What a member gives now. */
export interface VirtualMemberView {
  readonly name: string
  /** Null while it answers; otherwise why it does not. */
  readonly away: string | null
  readonly tools: number
}

/** A virtual server with its tools as they are now. */
export interface VirtualServerDetails extends VirtualServerView {
  readonly members: readonly VirtualMemberView[]
  readonly tools: readonly VirtualToolView[]
  /** Approximate tokens of what a client reads at first, and of all definitions. */
  readonly tokens: { readonly listed: number; readonly all: number }
}
