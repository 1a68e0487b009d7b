import type { AlertRule } from '../../shared/alerts.ts'

/** The rules that are there from the start. They send nowhere until somebody gives them channels. */
export const defaultRules: readonly AlertRule[] = [
  rule('Node down', { decision: ['DOWN'], for: '1m' }),
  rule('Behind or slow', { decision: ['LATENCY'], for: '10m' }),
  rule('Too few verifiers', { decision: ['UNKNOWN'], for: '2m' }),
  rule('Flapping', { flapping: { changes: 6, within: '1h' } }),
  rule('Verifier gone or cut off', { verifier: ['gone', 'isolated'], for: '2m' }),
  rule('Certificate ends', { certificate: { within: '14d' } }),
  rule('Key ends', { keyEnds: { within: '14d' } }),
  rule('Limit nearly used', { keyLimit: { percent: 80 } }),
  rule('Usage or limits in trouble', { installation: ['usage', 'limits'], for: '5m' }),
  rule('Database lost', { installation: ['database'], for: '1m' }),
  rule('Tools changed', { tools: 'changed' }),
  rule('Operators', { account: ['new operator', 'new place'] }),
]

function rule(name: string, when: AlertRule['when']): AlertRule {
  return { name, when, channels: [], enabled: true }
}
