/** An error whose message is meant to be read by whoever uses the console. */
export class ReportedError extends Error {
  override readonly name: string = 'ReportedError'
}

export const unreachableText =
  'The server cannot be reached. Check your connection, and whether the server runs.'
