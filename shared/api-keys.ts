import * as z from 'zod/mini'

import { Instant, RfcInstant } from './instants.ts'
import { idText, nameText } from './text.ts'

/** What an API key may be allowed to do; the empty selection allows nothing. */
export const permissions = ['statistics_read', 'token_create', 'gateway_use', 'installation'] as const
export const Permission = z.enum(permissions)
export type Permission = z.infer<typeof Permission>

/** What only keys of operators may have: with it a program does under `/admin` what an operator does in the console. */
export const operatorPermission = 'installation' satisfies Permission

/** The labels of the specification; "Gateway Use" and "Installation" are ours. */
export const permissionLabels: Readonly<Record<Permission, string>> = {
  statistics_read: 'Statistics Read',
  token_create: 'Token Create',
  gateway_use: 'Gateway Use',
  installation: 'Installation',
}

/** Those that an account can tick: all for operators, and others only give up what only operators may have. */
export const permissionsFor = (isOperator: boolean, ticked: readonly Permission[]): readonly Permission[] =>
  permissions.filter((one) => one !== operatorPermission || isOperator || ticked.includes(one))

/** Bounds of what a key may hold. */
export const apiKeyBounds = {
  nameChars: 100,
  entries: 100,
  entryChars: 300,
  overlapMs: 30 * 24 * 3_600_000,
} as const

const isOnceEach = (list: readonly string[]): boolean => new Set(list).size === list.length

/** Addresses or domains of a key. */
export const EntryList = z.array(nameText(apiKeyBounds.entryChars)).check(z.maxLength(apiKeyBounds.entries))
export const Entries = z._default(EntryList, [])

/** What a person says when creating a key and when editing it. */
export const ApiKeyInput = z.strictObject({
  name: nameText(apiKeyBounds.nameChars), // "Token name"
  permissions: z._default(
    z.array(Permission).check(z.refine(isOnceEach, 'expected each permission at most once')),
    [],
  ),
  allowedIps: Entries, // addresses and networks; blank allows any
  allowedDomains: Entries, // with `*` as a wildcard; blank allows any
  expiresAt: z._default(z.nullable(Instant), null), // null: never
})
export type ApiKeyInput = z.infer<typeof ApiKeyInput>

/** Expired is an end: it holds whether the key is enabled or not. */
export const ApiKeyState = z.enum(['enabled', 'disabled', 'expired'])
export type ApiKeyState = z.infer<typeof ApiKeyState>

/** What a key of any kind shows its owner: all but its value. Instants are epoch ms. */
export const StoredKeyView = z.object({
  id: z.string(),
  name: z.string(),
  allowedIps: z.array(z.string()), // as they apply: networks without host bits
  allowedDomains: z.array(z.string()), // as they apply: lower case, punycode
  createdAt: z.int(),
  expiresAt: z.nullable(z.int()),
  isEnabled: z.boolean(),
  state: ApiKeyState,
  hint: z.string(), // prefix and last four characters
  lastUsedAt: z.nullable(z.int()), // to the minute
  previous: z.nullable(z.object({ hint: z.string(), endsAt: z.int() })), // the value before the rotation still works
})

export const ApiKeyView = z.extend(StoredKeyView, { permissions: z.array(Permission) })
export type ApiKeyView = z.infer<typeof ApiKeyView>

/** `GET /account/api-key`: what the key that was shown may do, for whoever has it. Never its value. */
export const ShownApiKey = z
  .object({
    id: z.string(),
    name: z.string().check(z.meta({ description: 'the Token name', examples: ['CI'] })),
    permissions: z.array(Permission),
    allowedIps: z
      .array(z.string())
      .check(z.meta({ description: 'addresses and networks from which it works; empty: any' })),
    allowedDomains: z
      .array(z.string())
      .check(z.meta({ description: 'domains from whose pages it works; empty: any' })),
    enabled: z.boolean(),
    createdAt: RfcInstant,
    expiresAt: z.nullable(RfcInstant).check(z.meta({ description: 'null: never' })),
  })
  .check(z.meta({ id: 'ShownApiKey' }))
export type ShownApiKey = z.infer<typeof ShownApiKey>

export const ApiKeyById = z.strictObject({ id: idText(64) })

export const ApiKeyUpdate = z.extend(ApiKeyInput, ApiKeyById.shape)

/** For how long the old value works beside the new one; 0 ends it at once. */
export const ApiKeyRotation = z.extend(ApiKeyById, {
  overlapMs: z._default(z.int().check(z.minimum(0), z.maximum(apiKeyBounds.overlapMs)), 0),
})

/** An instant that has not passed, or none. `now` in epoch ms. */
export const isNotPast = (expiresAt: number | null, now: number): boolean =>
  expiresAt === null || expiresAt > now

/** Where a key stands at an instant (epoch ms). */
export function apiKeyState(key: { isEnabled: boolean; expiresAt: number | null }, now: number): ApiKeyState {
  if (!isNotPast(key.expiresAt, now)) return 'expired'
  return key.isEnabled ? 'enabled' : 'disabled'
}
