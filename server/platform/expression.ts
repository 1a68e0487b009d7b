import { RE2JS, RE2JSException } from 're2js'

/** A regular expression that an operator wrote. */
export interface Expression {
  /** Whether it matches somewhere in the first `searchedChars` of a text. */
  isIn(text: string): boolean
}

/** The text is no expression, or one that costs too much. The message says which, and what is allowed. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'
}

/** Time grows with the product of both: at these bounds the worst expression found took 0.15 s, usual ones below 1 ms. */
const maxInstructions = 200
export const searchedChars = 32_768

/**
 * Reads a regular expression of RE2's syntax, which has no look-around and no back references, so that no expression
 * takes exponential time. The platform's own engine backtracks: `^(a+)+$` costs it a second at 28 characters.
 * @throws ExpressionError
 */
export function parseExpression(pattern: string): Expression {
  const compiled = compile(pattern)
  if (compiled.programSize() > maxInstructions)
    throw new ExpressionError(
      `too large: repeat counts multiply it to more than ${maxInstructions} steps; write it shorter`,
    )
  return { isIn: (text) => compiled.matcher(text.slice(0, searchedChars)).find() }
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error
    const reason = error.message.replace(/^error parsing regexp: /, '').replace(/: `.*`$/s, '')
    throw new ExpressionError(`${reason}; expected a regular expression of RE2's syntax, without look-around`)
  }
}
