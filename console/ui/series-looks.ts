const dashes = ['', '6 3', '2 3', '9 3 2 3', '1 4'] as const

/** Each series has a colour and a dash of its own, so that nobody has to tell the colours apart. */
export const seriesColour = (index: number): string => `var(--series-${(index % dashes.length) + 1})`
export const seriesDash = (index: number): string => dashes[index % dashes.length] ?? ''
