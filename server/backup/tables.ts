/**
 * Every table of ours, parents before children. A test compares this with what the migrations make, so that a new
 * table cannot be forgotten. Drizzle's own table of migrations is not among them: a backup names its version.
 */
export const ownTables = [
  'services',
  'maintenance_windows',
  'verifiers',
  'verifier_tokens',
  'service_health',
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
  'audit_events',
  'shared_secrets',
  'api_keys',
  'api_key_changes',
  'nodes',
  'usage_writers',
  'usage_keys',
  'usage_minutes',
  'usage_hours',
  'usage_days',
] as const
