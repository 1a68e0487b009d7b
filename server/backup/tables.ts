/**
 * All our tables, parents before children. A test compares this list with the tables that the migrations create, so that
 * a new table cannot be forgotten. Drizzle's own table of migrations is not in it: a backup names its version.
 */
export const ownTables = [
  'services',
  'maintenance_windows',
  'verifiers',
  'verifier_tokens',
  'service_health',
  'service_facts',
  'health_transitions',
  'history_batches',
  'health_rollup_5m',
  'health_rollup_1h',
  'health_rollup_1d',
  'accounts',
  'identities',
  'web_sessions',
  'sign_in_nonces',
  'oauth_states',
  'setup_tokens',
  'account_mutations',
  'audit_events',
  'audit_archives',
  'shared_secrets',
  'api_keys',
  'query_keys',
  'query_key_answers',
  'key_changes',
  'nodes',
  'endpoints',
  'upstream_budgets',
  'usage_writers',
  'usage_keys',
  'usage_minutes',
  'usage_hours',
  'usage_days',
  'usage_fives',
  'usage_attempts',
  'tool_usage_writers',
  'tool_usage_keys',
  'tool_usage_minutes',
  'tool_usage_hours',
  'tool_usage_days',
  'tool_usage_fives',
  'tool_usage_attempts',
  'tool_calls',
  'registry_snapshots',
  'registry_sources',
  'agent_clients',
  'agent_grants',
  'agent_codes',
  'agent_tokens',
  'agent_assertions',
  'connections',
  'connection_tools',
] as const

/**
 * A backup has these tables without their rows: what is good for minutes only, and must not come to life again; and single
 * calls of tools, whose arguments and results are deleted after a day, which a backup would outlive.
 */
export const unsavedTables: ReadonlySet<string> = new Set(['agent_codes', 'agent_assertions', 'tool_calls'])
