/**
 * Whether a number is a multiple of another as both are written in decimals. In the binary numbers of JavaScript 0.07 is no
 * multiple of 0.01, and the error grows with the number, so that no tolerance is right for all amounts.
 */
export function isDecimalMultiple(value: number, divisor: number): boolean {
  const one = decimalOf(value)
  const other = decimalOf(divisor)
  const least = Math.min(one.exponent, other.exponent)
  return scaled(one, least) % scaled(other, least) === 0n
}

/** `units` times ten to the power of `exponent`. */
interface Decimal {
  readonly units: bigint
  readonly exponent: number
}

function decimalOf(number: number): Decimal {
  const [digits = '', exponent] = number.toExponential().split('e')
  const [whole = '', fraction = ''] = digits.split('.')
  return { units: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}

const scaled = ({ units, exponent }: Decimal, least: number): bigint =>
  units * 10n ** BigInt(exponent - least)
