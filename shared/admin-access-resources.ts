import * as z from 'zod/mini'

import { EpochInstant, type FieldsOf, oneChangeOf } from './admin-resources.ts'
import type { AllowedAddress } from './allowed-addresses.ts'
import { Family } from './chains.ts'
import { ConnectionRelabel, ConnectionUseChange, ConnectionView, ContentKeeping } from './connections.ts'
import type { PendingToken, VerifierSummary } from './health-verifiers.ts'
import { type InvitationView, invitationStates } from './invitations.ts'
import { type RegistryCounts, type RegistryStatus, RowProblem } from './registry.ts'

/** What `/admin` shows and takes of who is let in and what is reached: invitations, verifiers, tool servers, the registry. */

const invitationFields = {
  id: z.string(),
  note: z.string(),
  for: z
    .nullable(z.string())
    .check(z.meta({ description: 'who alone can use it; null: whoever has the link' })),
  state: z.enum(invitationStates),
  createdAt: EpochInstant,
  createdBy: z.string().check(z.meta({ description: 'who made it, as the audit log calls them' })),
  expiresAt: EpochInstant,
  usedAt: z.nullable(EpochInstant),
  usedBy: z.nullable(z.string()).check(z.meta({ description: 'the id of the account that used it' })),
} satisfies FieldsOf<InvitationView>

/** An invitation without its link. */
export const InvitationResource = z.object(invitationFields).check(z.meta({ id: 'Invitation' }))
/** The answer to its creation. */
export const CreatedInvitationResource = z
  .object({
    ...invitationFields,
    link: z.string().check(z.meta({ description: 'for the person who is invited: shown once' })),
  })
  .check(z.meta({ id: 'CreatedInvitation' }))

/** A private address that operators allow. */
export const AllowedAddressResource = z
  .object({
    address: z.string(),
    name: z
      .nullable(z.string())
      .check(z.meta({ description: 'the name that resolved to it when it was allowed' })),
    allowedBy: z.string(),
    allowedAt: EpochInstant,
  } satisfies FieldsOf<AllowedAddress>)
  .check(z.meta({ id: 'AllowedAddress' }))

/** A verifier that is not revoked. */
export const VerifierResource = z
  .object({
    id: z.string(),
    name: z.string(),
    region: z.string(),
    version: z.string(),
    families: z.array(Family),
    isBuiltIn: z.boolean(),
    createdAt: EpochInstant,
    lastSeenAt: z.nullable(EpochInstant),
    silentAt: z.nullable(EpochInstant).check(
      z.meta({
        description:
          'from then on it is silent unless it reports before; null: it has never reported, or has no service to probe',
      }),
    ),
    isSetAside: z
      .boolean()
      .check(
        z.meta({ description: 'silent for three days: it counts for no quorum until it reports again' }),
      ),
    isIsolated: z.boolean().check(z.meta({ description: 'by its own account cut off from the network' })),
    isEjected: z
      .boolean()
      .check(z.meta({ description: 'it contradicts the others too often to be counted' })),
    hasStaleView: z.boolean().check(z.meta({ description: 'of some chain it sees an old head' })),
  } satisfies FieldsOf<VerifierSummary>)
  .check(z.meta({ id: 'Verifier' }))

const tokenFields = {
  id: z.string(),
  label: z.string(),
  expiresAt: EpochInstant,
} satisfies FieldsOf<PendingToken>

/** A token with which one verifier can enrol, without its value. */
export const VerifierTokenResource = z.object(tokenFields).check(z.meta({ id: 'VerifierToken' }))
/** The answer to its creation. */
export const CreatedVerifierTokenResource = z
  .object({ ...tokenFields, token: z.string().check(z.meta({ description: 'its value: shown once' })) })
  .check(z.meta({ id: 'CreatedVerifierToken' }))

/** A saved connection; never with its secret. */
export const ConnectionResource = z.object(ConnectionView.shape).check(z.meta({ id: 'Connection' }))

/** One thing at a time: each takes effect in every process by itself. */
export const ConnectionPatch = oneChangeOf({
  label: z.optional(ConnectionRelabel.shape.label),
  use: z.optional(z.omit(ConnectionUseChange, { id: true })),
  keepContentHours: z.optional(
    ContentKeeping.shape.hours.check(
      z.meta({ description: 'keeps arguments and results of calls for so long; 0: no more' }),
    ),
  ),
})
export type ConnectionPatch = z.infer<typeof ConnectionPatch>

const registryFields = {
  version: z.string(),
  origin: z.string().check(z.meta({ description: "what was imported; `built-in`: the product's own" })),
  importedAt: z.nullable(EpochInstant),
  counts: z.object({
    networks: z.int(),
    rows: z.int(),
    pairs: z.int(),
    providers: z.int(),
    offers: z.int(),
    listings: z.int(),
    mcpServers: z.int(),
    leftOut: z.int(),
    changed: z.int(),
  } satisfies FieldsOf<RegistryCounts>),
  source: z
    .nullable(
      z.object({
        address: z.string(),
        nextCheckAt: z.nullable(EpochInstant),
        problem: z.nullable(z.string()),
      }),
    )
    .check(z.meta({ description: 'where the file says that it comes from, and how the latest look went' })),
} satisfies FieldsOf<RegistryStatus>

/** The active registry. */
export const RegistryResource = z.object(registryFields).check(z.meta({ id: 'Registry' }))
/** The answer to an import. */
export const ImportedRegistryResource = z
  .object({
    ...registryFields,
    problems: z
      .array(RowProblem)
      .check(z.meta({ description: 'rows that were left out or changed; the first 1,000' })),
  })
  .check(z.meta({ id: 'ImportedRegistry' }))
