/** How many rows a long list shows at once, where one may choose. */
export const pageSizes = [25, 50, 100, 200] as const

export type PageSize = (typeof pageSizes)[number]
