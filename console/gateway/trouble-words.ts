import type { Trouble } from './gateway-queries.ts'

/** Why a tool server could not be used, and what to do. */
export interface TroubleWords {
  readonly title: string
  readonly text: string
}

const sizes: Readonly<Record<string, string>> = {
  result:
    'Its result is larger than this connection takes. The settings of a saved connection can take more.',
  body: 'Its answer is larger than the gateway takes.',
  event: 'One event of its stream is larger than the gateway takes.',
  depth: 'Its answer is nested too deeply.',
  tools: 'It has more tools than the gateway takes.',
  pages: 'Its list of tools has more pages than the gateway reads.',
  endless: 'Its list of tools has no end.',
}

const reasons = {
  dns: 'Its name cannot be resolved.',
  refused: 'Nothing answers at its address, or it ended the connection.',
  tls: 'Its certificate or its TLS is not valid.',
  timed_out: 'It did not answer in time.',
  not_mcp: 'What it answers is not MCP, but a page or broken JSON.',
  redirected: 'It redirects to another address, and is not followed.',
  status: 'It answers with an HTTP error.',
  protocol_error: 'It broke the protocol, or speaks no version of it that the gateway knows.',
} as const

function unreachableWords({ why, httpStatus }: Extract<Trouble, { outcome: 'unreachable' }>): TroubleWords {
  const title = 'It cannot be reached'
  if (why === undefined) return { title, text: 'Try again later.' }
  const status = httpStatus === undefined ? '' : ` The status is ${httpStatus}.`
  return { title, text: `${reasons[why]}${status} Try again later. Nothing else is wrong on your side.` }
}

export function troubleWords(trouble: Trouble): TroubleWords {
  switch (trouble.outcome) {
    case 'unknown_connection':
      return {
        title: 'This connection is gone',
        text: 'It was deleted, or the registry has changed. Choose another one.',
      }
    case 'service_gone':
      return {
        title: 'The registry does not list this tool server any more',
        text: 'Delete the connection, or wait until it is listed again.',
      }
    case 'origin_changed':
      return {
        title: 'The tool server has another address now',
        text: 'The secret was saved for the old one and is not sent to the new one. If the new address is right, delete the connection and create it anew.',
      }
    case 'auth_required':
      return trouble.authSource === 'none'
        ? { title: 'It wants credentials', text: 'Save a connection with your token or key for it.' }
        : {
            title: 'It did not take the saved credentials',
            text: 'They may have expired, or belong into another header. Delete the connection and create it anew.',
          }
    case 'consent_needed':
      return trouble.why === 'consent_needed'
        ? { title: 'It wants your consent', text: 'Connect it under Connections: you agree at its own page.' }
        : {
            title: 'It wants more access',
            text: 'Connect it again under Connections: its own page says what it asks for.',
          }
    case 'unreachable':
      return unreachableWords(trouble)
    case 'timed_out':
      return { title: 'It did not answer in time', text: 'Try again, or ask for less.' }
    case 'too_large':
      return { title: 'It was cut off', text: sizes[trouble.what] ?? 'Its answer is too large.' }
    case 'protocol_error':
      return { title: 'What it answers is not MCP', text: 'Its operator has to fix that.' }
    case 'busy':
      return {
        title: trouble.isFailing ? 'It has failed too often' : 'Too much is under way to it',
        text: `Try again in ${trouble.retryAfterSec} seconds.`,
      }
    case 'cancelled':
      return { title: 'The call was cancelled', text: '' }
  }
}
