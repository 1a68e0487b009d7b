/** Places on an axis. */
export type Scale = (value: number) => number

/** From one stretch of numbers to another; where there is only one number, to the middle. */
export function linearScale(from: readonly [number, number], to: readonly [number, number]): Scale {
  const [first, last] = from
  const [start, end] = to
  const fractionOf = (value: number): number => (first === last ? 0.5 : (value - first) / (last - first))
  return (value) => start + fractionOf(value) * (end - start)
}

/** The end of an axis that begins at zero and holds this value: full numbers of about so many steps. */
export function roundTop(highest: number, count: number): number {
  const step = roundStep(highest, count)
  return multipleOf(step, Math.ceil(highest / step))
}

/** About so many round numbers from zero to the end of an axis. */
export function roundTicks(top: number, count: number): number[] {
  const step = roundStep(top, count)
  const last = Math.floor(top / step + 1e-9) // 0.3 / 0.1 is less than 3
  return Array.from({ length: last + 1 }, (_, place) => multipleOf(step, place))
}

/** One, two or five of a power of ten: the one of which there are nearest to `count`. */
function roundStep(span: number, count: number): number {
  const exact = span / Math.max(1, count)
  const power = 10 ** Math.floor(Math.log10(exact))
  const factors = [1, 2, 5, 10]
  const factor = factors.find((one, place) => exact / power < Math.sqrt(one * (factors[place + 1] ?? one)))
  return power * (factor ?? 10)
}

/** Without the traces of binary fractions: 0.3, not 0.30000000000000004. */
const multipleOf = (step: number, times: number): number =>
  step < 1 ? times / Math.round(1 / step) : times * step
