/** The members of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>

/** A list is none: what has members by name is asked for. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A copy of the members, or none where the value is no JSON object. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? { ...value } : {})

type Defined<Of> = { [Name in keyof Of]?: Exclude<Of[Name], undefined> }

/** A copy of the members that are not undefined: JSON leaves those out, and spreading one would replace a default by nothing. */
export const definedOf = <Of extends object>(fields: Of): Defined<Of> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Of>
