/** The values of `--policy key=value` flags. The schema of policies checks which keys and values are allowed. */
export type PolicyFlags =
  | { readonly kind: 'values'; readonly values: Readonly<Record<string, string | number | null>> }
  | { readonly kind: 'wrong'; readonly message: string }

export function parsePolicyFlags(flags: readonly string[]): PolicyFlags {
  const values = new Map<string, string | number | null>()
  for (const flag of flags) {
    const [, key, text] = /^([A-Za-z]+)=(.+)$/s.exec(flag) ?? []
    if (key === undefined || text === undefined) {
      return { kind: 'wrong', message: `--policy ${flag}: expected key=value, for instance enterBlocks=5` }
    }
    if (values.has(key)) return { kind: 'wrong', message: `--policy ${key} is given twice` }
    values.set(key, readValue(text))
  }
  return { kind: 'values', values: Object.fromEntries(values) }
}

function readValue(text: string): string | number | null {
  if (text === 'null') return null
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}
