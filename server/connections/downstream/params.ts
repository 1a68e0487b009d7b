/** The parameters of a JSON-RPC request. */
export type Params = Readonly<Record<string, unknown>>
