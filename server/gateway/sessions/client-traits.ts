/** What a client said of itself with `initialize`, as far as the gateway goes by it later. */
export interface ClientTraits {
  /** As it asked for it; null: none that is known here. */
  readonly protocolVersion: string | null
  readonly capabilities: Readonly<Record<string, unknown>>
}

/** A place in this list stands in the ids of sessions: it only ever grows at its end. */
export const protocolVersions = [
  '2024-10-07',
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
] as const

export const unknownClient: ClientTraits = { protocolVersion: null, capabilities: {} }

/** Capabilities that tool servers can make use of; a place in this list stands in ids, too. */
const capabilities = [
  ['elicitation'],
  ['elicitation', 'form'],
  ['elicitation', 'url'],
  ['sampling'],
  ['sampling', 'tools'],
  ['sampling', 'context'],
  ['roots'],
] as const

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Of the parameters of `initialize`. */
export function traitsOf(params: Readonly<Record<string, unknown>>): ClientTraits {
  const { protocolVersion, capabilities: declared } = params
  const isKnown = protocolVersions.some((version) => version === protocolVersion)
  return {
    protocolVersion: isKnown && typeof protocolVersion === 'string' ? protocolVersion : null,
    capabilities: isRecord(declared) ? declared : {},
  }
}

/** The capabilities as eight bits; what a capability says beyond its being there is left out. */
export function clientByte({ capabilities: declared }: ClientTraits): number {
  let bits = 0
  for (const [index, [name, part]] of capabilities.entries()) {
    const one = declared[name]
    if (isRecord(one) && (part === undefined || isRecord(one[part]))) bits |= 1 << index
  }
  return bits
}

export function clientFromByte(bits: number, protocolVersion: string | null): ClientTraits {
  const declared: Record<string, Record<string, unknown>> = {}
  for (const [index, [name, part]] of capabilities.entries()) {
    if ((bits & (1 << index)) === 0) continue
    declared[name] = { ...declared[name], ...(part !== undefined && { [part]: {} }) }
  }
  return { protocolVersion, capabilities: declared }
}
