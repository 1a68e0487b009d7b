import type { AlertChannel, AlertChannelChange } from '../../../shared/alert-channels.ts'

/** What a channel sends along that nobody can read again, and that stands beside its address. */
function secretFieldOf(channel: AlertChannel): 'token' | 'routingKey' | 'password' | null {
  switch (channel.type) {
    case 'telegram':
      return 'token'
    case 'pagerduty':
      return 'routingKey'
    case 'alertmanager':
      return channel.password === undefined ? null : 'password'
    case 'webhook': // its secret signs, and is never sent
    case 'slack':
    case 'email':
      return null
  }
}

/**
 * Returns the secret that a change would send to another origin than it was given for; null where there is none. What cannot
 * be read must not be obtained by sending it elsewhere either.
 */
export function movedSecret(before: AlertChannel, change: AlertChannelChange): string | null {
  const field = secretFieldOf(before)
  if (field === null || field in change || !('url' in before && 'url' in change)) return null
  const { url = before.url } = change
  return new URL(url).origin === new URL(before.url).origin ? null : field
}
