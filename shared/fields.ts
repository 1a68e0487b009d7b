/** The members of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>

/** A list is none: what has members by name is asked for. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A copy of the members, or none where the value is no JSON object. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? { ...value } : {})
