import * as z from 'zod/mini'

import { ChainKey } from './chains.ts'
import { Decision } from './health.ts'
import { NameAsWritten, base64, idText, lines, matching, nameText, text } from './text.ts'

/** Of `search`. */
export const searchLimits = {
  defaultLimit: 10,
  maxLimit: 20,
  maxOffset: 10_000,
  networks: 12,
  plans: 5,
} as const

const maxQueryChars = 500
const maxTags = 20
const maxWantedValues = 50

/** `<category>:<slug>`. It is not unique over the chains: the same offer may stand on several. */
export const RegistryServiceId = matching(
  /^[a-z0-9][a-z0-9-]{0,63}:[a-z0-9][a-z0-9._-]{0,199}$/i,
  'a service_id such as apis:some-provider',
)

const FilterScalar = z.union([text({ min: 0, max: 500 }), z.boolean(), z.number()])

/**
 * What a row has to have in one column: one value or any of several; in columns with numbers or dates a range. Which
 * columns there are is a matter of the active snapshot.
 */
export const FilterValue = z.union([
  FilterScalar,
  z.array(FilterScalar).check(z.minLength(1), z.maxLength(maxWantedValues)),
  z.strictObject({ min: z.optional(z.number()), max: z.optional(z.number()) }),
  z.strictObject({
    from: z.optional(text({ min: 0, max: 100 })),
    to: z.optional(text({ min: 0, max: 100 })),
  }),
])
export type FilterValue = z.infer<typeof FilterValue>

// Loose objects: clients of other gateways send more, for instance `analytics`.

export const DiscoverNetworksInput = z.looseObject({})

export const DiscoverNetworksOutput = z.object({
  networks: z.array(z.object({ chain: z.string(), name: z.string(), services: z.int() })),
  total: z.int(),
})
export type DiscoverNetworksOutput = z.infer<typeof DiscoverNetworksOutput>

export const DiscoverCategoriesInput = z.looseObject({ chain: NameAsWritten })
export type DiscoverCategoriesInput = z.infer<typeof DiscoverCategoriesInput>

export const DiscoverCategoriesOutput = z.object({
  chain: z.string(),
  categories: z.array(
    z.object({
      category: z.string(),
      label: z.string(),
      services: z.int(),
      sample_providers: z.array(z.string()),
    }),
  ),
})
export type DiscoverCategoriesOutput = z.infer<typeof DiscoverCategoriesOutput>

const limitText = `a whole number from 1 to ${searchLimits.maxLimit}`
const offsetText = `a whole number from 0 to ${searchLimits.maxOffset}`

export const SearchInput = z.looseObject({
  query: z.optional(lines({ min: 0, max: maxQueryChars })),
  chain: z.optional(NameAsWritten),
  category: z.optional(NameAsWritten),
  tags: z.optional(z.array(text({ min: 0, max: 200 })).check(z.maxLength(maxTags))),
  filters: z.optional(z.record(text({ min: 0, max: 200 }), FilterValue)),
  limit: z._default(
    z.int(limitText).check(z.minimum(1, limitText), z.maximum(searchLimits.maxLimit, limitText)),
    searchLimits.defaultLimit,
  ),
  offset: z._default(
    z.int(offsetText).check(z.minimum(0, offsetText), z.maximum(searchLimits.maxOffset, offsetText)),
    0,
  ),
})
export type SearchInput = z.infer<typeof SearchInput>

/** What part of a registry a person narrows down. */
export const FilterQuestion = z.object({
  chain: z.optional(NameAsWritten),
  category: z.optional(NameAsWritten),
})
export type FilterQuestion = z.infer<typeof FilterQuestion>

export const filterKinds = ['select', 'multiSelect', 'searchableMultiSelect', 'range', 'dateRange'] as const
export type FilterKind = (typeof filterKinds)[number]

/** A column by which services can be narrowed down. */
export interface FilterColumn {
  readonly key: string
  readonly label: string
  readonly kind: FilterKind
  /** The commonest first, with the number of services that have them; ranges have none. */
  readonly values: readonly { readonly value: string; readonly services: number }[]
  /** Values that there is no room for. */
  readonly moreValues: number
}

/** A category, and what people call it. */
export interface CategoryName {
  readonly category: string
  readonly label: string
}

/** What to do with a service next, as an `execute` call. */
export const ExecuteHint = z.object({
  operation: z.enum(['connect_mcp', 'get_details']),
  service_id: z.string(),
  arguments: z.object({ chain: z.string() }),
})

/** The live decision of the monitored service that a row is linked to. */
export const LinkedHealth = z.object({ serviceId: z.string(), decision: Decision })
export type LinkedHealth = z.infer<typeof LinkedHealth>

export const SearchResult = z.object({
  service_id: z.string(),
  chain: z.string(),
  category: z.string(),
  provider: z.nullable(z.string()),
  title: z.string(),
  summary: z.nullable(z.string()),
  /** Higher is better; of use only within one answer. */
  score: z.number(),
  tags: z.array(z.string()),
  price_hint: z.nullable(z.string()),
  /** The chains that the service_id stands on, that of the result first; at most `searchLimits.networks`. */
  networks: z.array(z.string()),
  /** On how many chains it stands, where they are more than `networks` has. */
  network_count: z.optional(z.int()),
  /** Other plans of the service, by `service_id`; a search with `filters.provider` has each plan as a result of its own. */
  plans: z.optional(z.array(z.string())),
  health: z.optional(LinkedHealth),
  execute_hint: z.optional(ExecuteHint),
})
export type SearchResult = z.infer<typeof SearchResult>

export const SearchOutput = z.object({
  results: z.array(SearchResult),
  total: z.int(),
  next_offset: z.nullable(z.int()),
  /** How the question was understood, where that may not be what was meant. */
  note: z.optional(z.string()),
})
export type SearchOutput = z.infer<typeof SearchOutput>

/** A link of a row: what its text says, where it leads, and the column it stands in. */
export const RegistryLink = z.object({ label: z.string(), url: z.string(), column: z.string() })
export type RegistryLink = z.infer<typeof RegistryLink>

const Cells = z.record(z.string(), z.unknown())

/** How a row's MCP server is reached. */
export const McpServerFacts = z.object({
  mcpEndpoint: z.string(),
  transportType: z.enum(['http', 'sse']),
  authType: z.string(),
  authRequired: z.boolean(),
  /** Suffix of `x-gateway-cred-<provider>`, and key of a credentials bag. */
  credentialKey: z.nullable(z.string()),
})
export type McpServerFacts = z.infer<typeof McpServerFacts>

/** One service on one chain, with everything that the registry says of it. */
export const RegistryEntry = z.object({
  service_id: z.string(),
  chain: z.string(),
  /** Where the same id stands, too. */
  other_chains: z.array(z.string()),
  category: z.string(),
  slug: z.string(),
  title: z.string(),
  /** Every column of the registry, merged from offer and listing. */
  snapshot: Cells,
  providerMeta: z.nullable(Cells),
  links: z.array(RegistryLink),
  /** Null: it is no MCP server, or one that its user has to run. */
  mcp: z.nullable(McpServerFacts),
  health: z.optional(LinkedHealth),
})
export type RegistryEntry = z.infer<typeof RegistryEntry>

/** One MCP server that can be reached over the network, and the chains it is listed for. */
export const ListedMcpServer = z.object({
  service_id: z.string(),
  chains: z.array(z.string()),
  provider: z.nullable(z.string()),
  title: z.string(),
  summary: z.nullable(z.string()),
  ...McpServerFacts.shape,
})
export type ListedMcpServer = z.infer<typeof ListedMcpServer>

export const refusalCodes = [
  'invalid_arguments',
  'unknown_chain',
  'unknown_category',
  'unknown_filter',
  'unknown_service',
] as const

/** Why a question has no answer, said so that whoever asked can mend it. */
export interface RegistryRefusal {
  readonly code: (typeof refusalCodes)[number]
  /** What is wrong and what is allowed. */
  readonly message: string
  /** The names that would have been right, the closest ones first. */
  readonly known: readonly string[]
  /** The fields of the question that are wrong, as paths; none where it is about something else. */
  readonly at: readonly (readonly (string | number)[])[]
}

export type RegistryAnswer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: RegistryRefusal }

/** The most that a browser can send; for larger ones there is the command line. */
export const maxUploadBytes = 3_000_000

/** A registry as a `.tar.gz` file, in Base64. */
export const RegistryArchive = z.object({
  /** What the file is called. */
  source: nameText(300),
  content: base64(maxUploadBytes),
})

/** A row or a cell that is not used as it was given. */
export const RowProblem = z.object({
  file: z.string(),
  /** From 1; null: it is about the whole file. */
  line: z.nullable(z.int()),
  reason: z.string(),
  /** `left_out`: the row (or the file) is not there. `changed`: something in it was taken out. */
  effect: z.enum(['left_out', 'changed']),
})
export type RowProblem = z.infer<typeof RowProblem>

/** The active registry, and how the latest look at the source went. */
export interface RegistryStatus {
  readonly version: string
  /** `built-in`: the product's own. Empty for accounts that are no operators', as `source` is null. */
  readonly origin: string
  /** Null: the product's own, which was never imported. */
  readonly importedAt: number | null
  readonly counts: RegistryCounts
  readonly source: {
    readonly address: string
    readonly nextCheckAt: number | null
    readonly problem: string | null
  } | null
}

export interface RegistryCounts {
  readonly networks: number
  readonly rows: number
  readonly pairs: number
  readonly providers: number
  readonly offers: number
  readonly listings: number
  readonly mcpServers: number
  readonly leftOut: number
  readonly changed: number
}

/** A registry row to whose health decisions a monitored service gives. */
export const RegistryHealthLink = z.strictObject({
  service: idText(200),
  service_id: RegistryServiceId,
  chain: ChainKey,
})
export type RegistryHealthLink = z.infer<typeof RegistryHealthLink>

const SourceAddress = text({ max: 2_000 }).check(
  z.refine(
    (address) => !/^[a-z][a-z0-9+.-]+:\/\//i.test(address) || /^https:\/\//i.test(address),
    'a folder, a .tar.gz file, or an https address of one',
  ),
)

/** The file's `registry:` section. */
export const RegistrySection = z.strictObject({
  /** A folder, a `.tar.gz` file or an https address of one; absent: what was imported, or the product's own. */
  source: z.optional(SourceAddress),
  refreshHours: z._default(z.number().check(z.minimum(0.1), z.maximum(720)), 24),
  links: z._default(z.array(RegistryHealthLink).check(z.maxLength(10_000)), []),
})
export type RegistrySection = z.infer<typeof RegistrySection>
