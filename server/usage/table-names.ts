/**
 * Two kinds of calls are counted alike, each in tables of its own, whose names begin with this: calls with a query key,
 * and calls of tools (`server/tool-calls/`), whose key is an API key or a grant, whose endpoint is a tool server, and whose
 * method is a tool.
 */
export type CountedTables = 'usage' | 'tool_usage'

/** What the rows of a table are for. */
export type CountedUnit = 'minutes' | 'fives' | 'hours' | 'days'

/** A name in the code, never what somebody sent. */
export const tableOf = (
  tables: CountedTables,
  what: CountedUnit | 'writers' | 'keys' | 'attempts',
): `${CountedTables}_${typeof what}` => `${tables}_${what}`
