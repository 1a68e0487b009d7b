/** Codes of postgres.js and of the operating system for a server that cannot be reached or went away. */
const networkCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT', // the server's socket file
  'EAGAIN', // the socket's queue of a server that accepts nobody
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
])

/**
 * SQLSTATE classes (PostgreSQL manual, appendix A): 08 connection exception, 53 insufficient resources (a full
 * disk, too many connections), 57P server shutting down, crashed or starting, 57014 a statement over its time.
 */
const serverStates = /^(?:08...|53...|57P0[1-5]|57014)$/

/** True when the database was away, full or late: the statement was not refused for what it says. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  const code = String(error.code)
  return networkCodes.has(code) || serverStates.test(code)
}
