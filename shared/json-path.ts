/** One step into a JSON value: the name of a member, or the place in a list (negative: from its end). */
export type JsonStep = string | number

const step = /\.([^\s.[\]'"*?()@]+)|\[(-?\d{1,9})\]|\['([^']*)'\]/y

/**
 * Reads a path such as `$.data[0].status` or `$['a b'][-1]`: the part of RFC 9535 that leads to one value. Null where it
 * is none: without `*`, `..` and filters a check is about one value, and costs no more than its length.
 */
export function parseJsonPath(path: string): readonly JsonStep[] | null {
  if (!path.startsWith('$')) return null
  const steps: JsonStep[] = []
  let at = 1
  while (at < path.length) {
    step.lastIndex = at
    const found = step.exec(path)
    if (found === null) return null
    const [whole, member, place, quoted] = found
    steps.push(place === undefined ? (member ?? quoted ?? '') : Number(place))
    at += whole.length
  }
  return steps
}

/** Returns the value to which the steps lead; undefined where there is none. Inherited members are none. */
export function valueAt(value: unknown, steps: readonly JsonStep[]): unknown {
  let reached = value
  for (const next of steps) {
    if (Array.isArray(reached)) reached = typeof next === 'number' ? reached.at(next) : undefined
    else if (typeof reached !== 'object' || reached === null || typeof next !== 'string') return undefined
    else reached = Object.getOwnPropertyDescriptor(reached, next)?.value
  }
  return reached
}
