import * as z from 'zod/mini'

import { pathPatternSource } from './path-pattern.ts'
import { matching } from './text.ts'

const methodChars = 100

/** What has a price of its own: a method, or a pattern of REST calls. */
export const PricedCall = matching(
  new RegExp(`^(?:[A-Za-z0-9_.:-]+|${pathPatternSource})$`),
  'expected a method such as eth_call, or a path such as GET /eth/v1/node/*',
).check(z.maxLength(methodChars))

/** A method's name, the beginning of names with `*` at its end, or a pattern of REST calls. */
export const MethodPattern = matching(
  new RegExp(`^(?:[A-Za-z0-9_.:-]+\\*?|\\*|${pathPatternSource})$`),
  'expected a method such as eth_call, a beginning such as debug_*, or a path such as GET /eth/v1/node/*',
).check(z.maxLength(methodChars))

export const isPattern = (entry: string): boolean => entry.endsWith('*')
