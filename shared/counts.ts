import * as z from 'zod/mini'

/** How many there were of something. */
export const Count = z.int().check(z.minimum(0))

export const describedCount = (description: string) => Count.check(z.meta({ description }))
