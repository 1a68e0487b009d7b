/** An error whose message is meant to be read by whoever uses the console. */
export class ReportedError extends Error {
  override readonly name: string = 'ReportedError'
}

/** What to tell of an answer that the server's own words are not in: it comes from an overloaded server, or a proxy. */
export function bareAnswerText(status: number): string | null {
  if (status === 503)
    return 'The server is there, but cannot answer now (503): it is overloaded, stopping, or without its database. Try again in a moment.'
  if (status === 502 || status === 504)
    return `A proxy in front of the server got no answer from it (${status}). Try again in a moment.`
  return status === 429 ? 'Too many requests from here (429). Try again in a moment.' : null
}

export const unreachableText =
  'The server cannot be reached. Check your connection, and whether the server runs.'
