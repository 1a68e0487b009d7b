import * as z from 'zod/mini'

import { matching } from './text.ts'

const methodChars = 100

/** The name of a method, for nodes of any family. */
export const MethodName = matching(/^[A-Za-z0-9_.:-]+$/, 'expected a method such as eth_call').check(
  z.maxLength(methodChars),
)

/** A method's name, or the beginning of names with `*` at its end. */
export const MethodPattern = matching(
  /^(?:[A-Za-z0-9_.:-]+\*?|\*)$/,
  'expected a method such as eth_call, or a beginning such as debug_*',
).check(z.maxLength(methodChars))

export const isPattern = (entry: string): boolean => entry.endsWith('*')
