import * as z from 'zod/mini'

import { Limit } from '../../../shared/limits.ts'

const Order = z.strictObject({
  url: z.string(),
  folder: z.string(),
  accountId: z.string(),
  methods: z.int(),
  limit: Limit,
})
export type Order = z.infer<typeof Order>

export const readOrder = (text: string | undefined): Order => Order.parse(JSON.parse(text ?? ''))

/** What the calling process tells about its calls, a letter each. */
export const seenOrder = {
  byUpstream: (place: number): string => String.fromCharCode('a'.charCodeAt(0) + place),
  placeOf: (letter: string): number => letter.charCodeAt(0) - 'a'.charCodeAt(0),
  byCaller: '.',
  admission: '!',
} as const
