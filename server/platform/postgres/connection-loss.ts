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
 * SQLSTATE classes (PostgreSQL manual, appendix A): 08 connection exception, 25006 a server that can only be read (a standby,
 * or one whose disk is nearly full), 26000 and 42P05 a prepared statement that a pooler lost or has twice, 53 insufficient
 * resources (a full disk, too many connections), 57 a statement over its time, a server shutting down, crashed or starting.
 */
const serverStates = /^(?:08...|25006|26000|42P05|53...|57...)$/

const codeOf = (error: unknown): string | null =>
  error instanceof Error && 'code' in error ? String(error.code) : null

/** Errors of files and programs have a path; those of sockets have none, only an address. */
const isOfFile = (error: unknown): boolean => error instanceof Error && 'path' in error

/** True when the database was away, full, late or not the right one: the statement was not refused for what it says. */
export function isUnavailable(error: unknown): boolean {
  const code = isOfFile(error) ? null : codeOf(error)
  return code !== null && (networkCodes.has(code) || serverStates.test(code))
}

/** True when the server refused a further connection (53300): to its role, to its database, or to anybody. */
export const isOfConnectionLimit = (error: unknown): boolean => codeOf(error) === '53300'

/** True when the server can only be read. */
export const isOfReadOnlyServer = (error: unknown): boolean => codeOf(error) === '25006'

/** True for what only happens behind a pooler that gives each transaction another connection. */
export const isOfPooler = (error: unknown): boolean => ['26000', '42P05'].includes(codeOf(error) ?? '')
