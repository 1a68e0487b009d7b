import { type Decisions, section, type Requirement } from './requirement.ts'

const entries = [
  ...section('Registry service entry', 4, {
    'registry-service-id': 'an entry is identified by service_id of the shape <category>:<slug>',
    'registry-entry-metadata': 'entry metadata: service_id, chain, category, slug, providerMeta',
    'registry-raw-snapshot': 'an entry comes with the raw registry snapshot',
    'registry-other-fields': {
      text: 'other fields of the snapshot: not shown',
      decided: 'every column of the registry, merged from provider, offer and listing, by its own name',
    },
    'registry-id-on-many-chains': {
      text: 'an id that stands on several chains: not shown',
      decided:
        'arguments.chain picks one, else the chain of the latest search, else the alphabetically first; the answer names it and the others',
    },
  }),
  ...section('Chain keys and categories', 4, {
    'chain-keys-canonical':
      'chain keys are canonical lowercase names, for instance ethereum, base, filecoin, bitcoin',
    'chain-count': 'the snapshot holds 55 supported chains, and the set grows',
    'categories-named': 'categories: apis, explorers, ramps, oracles, bridges, wallets, security, mcpservers',
    'categories-depend-on-chain': 'the set of categories available depends on the chain',
  }),
]

const discovery = [
  ...section('Gateway tools', 4, {
    'tool-discover-networks': 'discover_networks returns the canonical chain keys in the current snapshot',
    'tool-discover-networks-input': 'discover_networks needs no input',
    'tool-discover-categories':
      'discover_categories takes a chain key and returns the categories available for it',
    'tool-search': 'search returns registry services matching',
    'tool-search-query': 'search takes query',
    'tool-search-chain': 'search takes chain',
    'tool-search-category': 'search takes category',
    'tool-search-tags': 'search takes tags',
    'tool-search-filters': 'search takes filters',
    'tool-search-limit': 'search takes limit',
    'tool-search-offset': 'search takes offset',
    'tool-search-execute-hint':
      'entries often carry an execute_hint; of tool-server-capable ones it points to execute with connect_mcp',
    'discovery-payloads': {
      text: 'response payload shapes of the discovery tools beyond the named fields: not shown',
      decided:
        'networks and categories with counts; search results with score, summary, tags, live health, total and next_offset; text and structuredContent alike',
    },
    'search-query-filters': {
      text: 'whether query filters or ranks: not shown',
      decided: 'both; total counts the matches and pages add up to the whole',
    },
    'search-filter-keys': {
      text: 'keys of filters: not shown',
      decided:
        'those of the column definitions, and health; an unknown key is an error that lists the known ones',
    },
    'sequence-discovery':
      'discover_networks, discover_categories with a chain, search with chain and category, execute with get_details or open_actions',
  }),
  ...section('Limits', 4, {
    'search-limit-bounds': {
      text: 'bounds of limit: not shown',
      decided: '1 to 20, default 10; anything else is an error that says so',
    },
    'search-offset-bounds': { text: 'bounds of offset: not shown', decided: '0 to 10,000, default 0' },
  }),
]

export const registryRequirements: Requirement[] = [...entries, ...discovery]

export const registryDecisions: Decisions = {
  'A search finds the services that fulfil the most of its question':
    ', never those that fulfil nothing of it, and says how it understood the question and what no result fulfils. A result is one service: rows of one id on several chains are one, and with a question plans of one service are one, unless `filters.provider` is given. `total` counts results. Several values of one filter are alternatives; tags must all be there.',
  'The search index is our own':
    ', not MiniSearch or Orama, which would replace its smallest part: half of a question names networks, categories and properties, which are no words of a text. `server/registry/registry.ts` has the measurements.',
  'A credential key belongs to one origin':
    ': a later row of a registry that names the key of another origin is left out at import, and told. A provider with several origins gives each a `credentialKey` of its own.',
  'An entry of the registry begins the form of a service or an endpoint, and does not finish it':
    'where it stands for a node: none of 4,664 listings of APIs in the registry that was measured has the address of a node. A node that is watched already is an upstream in two clicks; an MCP server is watched in two.',
  'A refresh of the registry replaces what was imported by hand': 'only when its source has something new.',
}
