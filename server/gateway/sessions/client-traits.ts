import { isFields } from '../../../shared/fields.ts'

/** The facts from `initialize` that the gateway needs later. */
export interface ClientTraits {
  /** The requested protocol version; null when it is unknown here. */
  readonly protocolVersion: string | null
  readonly capabilities: Readonly<Record<string, unknown>>
}

/** Known protocol versions. Session ids contain an index into this list, so it only grows at its end. */
export const protocolVersions = [
  '2024-10-07',
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
] as const

export const unknownClient: ClientTraits = { protocolVersion: null, capabilities: {} }

/** Client capabilities that tool servers can use. Session ids contain a bit for each index of this list. */
const capabilities = [
  ['elicitation'],
  ['elicitation', 'form'],
  ['elicitation', 'url'],
  ['sampling'],
  ['sampling', 'tools'],
  ['sampling', 'context'],
  ['roots'],
] as const

/** Reads the parameters of `initialize`. */
export function traitsOf(params: Readonly<Record<string, unknown>>): ClientTraits {
  const { protocolVersion, capabilities: declared } = params
  const isKnown = protocolVersions.some((version) => version === protocolVersion)
  return {
    protocolVersion: isKnown && typeof protocolVersion === 'string' ? protocolVersion : null,
    capabilities: isFields(declared) ? declared : {},
  }
}

/** Encodes the capabilities as eight bits. Settings inside a capability are lost. */
export function clientByte({ capabilities: declared }: ClientTraits): number {
  let bits = 0
  for (const [index, [name, part]] of capabilities.entries()) {
    const one = declared[name]
    if (isFields(one) && (part === undefined || isFields(one[part]))) bits |= 1 << index
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
