/** How many rows a long list shows at once, where one may choose. */
export const pageSizes = [25, 50, 100, 200] as const

export const pageSizeOptions = pageSizes.map((value) => ({
  value: String(value),
  label: `${value} a page`,
}))
