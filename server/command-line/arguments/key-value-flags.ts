export type FlagValue = string | number | boolean | null

/** The values of flags such as `--policy key=value`. The server's schema checks which keys and values are allowed. */
export type KeyValues =
  | { readonly kind: 'values'; readonly values: Readonly<Record<string, FlagValue>> }
  | { readonly kind: 'wrong'; readonly message: string }

interface KeyValueFlag {
  /** Without its dashes. */
  readonly name: string
  /** What a good value looks like. */
  readonly example: string
  /** Keys whose values are text, whatever they look like. */
  readonly textKeys?: readonly string[]
}

export function parseKeyValues(
  { name, example, textKeys = [] }: KeyValueFlag,
  given: readonly string[],
): KeyValues {
  const values = new Map<string, FlagValue>()
  for (const one of given) {
    const [, key, text] = /^([A-Za-z.]+)=(.+)$/s.exec(one) ?? []
    if (key === undefined || text === undefined) {
      return { kind: 'wrong', message: `--${name} ${one}: expected key=value, for instance ${example}` }
    }
    if (values.has(key)) return { kind: 'wrong', message: `--${name} ${key} is given twice` }
    values.set(key, textKeys.includes(key) ? text : readValue(text))
  }
  return { kind: 'values', values: Object.fromEntries(values) }
}

const words: Readonly<Record<string, FlagValue>> = { null: null, true: true, false: false }

function readValue(text: string): FlagValue {
  if (Object.hasOwn(words, text)) return words[text] ?? null
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}
