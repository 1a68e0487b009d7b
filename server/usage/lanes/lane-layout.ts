/**
 * A mapped file of lanes: a header, and regions one after the other. A region: a header of 128 bytes with its capacity
 * in lanes, the number in use, the length of the name, its state and the name; then the lanes, f64.
 */
export const laneMagic = 0x6768_6c01

export const laneHeaderBytes = 4_096
/** The header's place after the magic is reserved; everything else of it is 0. */
export const laneFileBytes = 8 * 1024 * 1024

export const regionHeaderBytes = 128
export const regionNameAt = 16
export const maxRegionNameBytes = regionHeaderBytes - regionNameAt

/** Places of u32 in a region's header. */
export const regionWord = { capacity: 0, used: 1, nameBytes: 2, state: 3 } as const

export const regionState = { free: 1, used: 2 } as const

/** A window's lanes grow into classes, so that what one limit gives up fits another of about its size. */
const capacities = [8, 16, 32, 63, 128, 256, 512, 1_025] as const

/** Null: no region is that large. */
export const capacityFor = (lanes: number): number | null =>
  capacities.find((capacity) => capacity >= lanes) ?? null

export const regionBytes = (capacity: number): number => regionHeaderBytes + capacity * 8
