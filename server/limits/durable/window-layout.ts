import type { LimitName } from '../../../shared/limits.ts'
import type { Period } from '../../../shared/periods.ts'

/**
 * The layout of a mapped file of windows: a page of header that begins with `fileMagic`, then regions one after the
 * other. A region holds one window: a header of 128 bytes, then the cells, f64. The header, little-endian:
 *
 * - 0: u32 capacity in cells; 0 means that no region was written here yet
 * - 4: u32 number of cells in use
 * - 8: u32 length of the key id (`legacy`: of the name)
 * - 12: u32 state
 * - 16: u32 code of the limit's name; 20: u32 code of its period; 24: f64 units of the limit
 * - 32: the key id (`legacy`: a name from 16 on, such as `key_1 rate 100/minute`)
 */
export const fileMagic = 0x6768_6c01

export const fileHeaderBytes = 4_096
export const windowFileBytes = 8 * 1024 * 1024

export const regionHeaderBytes = 128
const keyIdByte = 32
const legacyNameByte = 16

/** Indexes of u32 values in a region's header. */
export const regionWord = { capacity: 0, cells: 1, textBytes: 2, state: 3, limitName: 4, period: 5 } as const
/** The index of the units, as f64, in a region's header. */
export const regionUnits = 3

/** `legacy` marks a region of version 0.1.0, which stored the window as a text. No new region is written in this form. */
export const regionState = { free: 1, legacy: 2, used: 3 } as const

/** Codes stand in files, so a code never changes its meaning. */
export const limitNameCodes: Readonly<Record<LimitName, number>> = { rate: 1, credits: 2 }
export const periodCodes: Readonly<Record<Period, number>> = {
  second: 1,
  minute: 2,
  hour: 3,
  day: 4,
  week: 5,
  month: 6,
}

/** Returns where the text of a region begins. */
export const textByteOf = (state: number): number =>
  state === regionState.legacy ? legacyNameByte : keyIdByte

export const maxKeyIdBytes = regionHeaderBytes - keyIdByte
export const maxLegacyNameBytes = regionHeaderBytes - legacyNameByte

/** Capacities grow in classes, so that a region can be reused for another limit of about the same size. */
const capacities = [8, 16, 32, 63, 128, 256, 512, 1_025] as const

/** Returns the smallest capacity that holds so many cells, or null when no region is that large. */
export const capacityFor = (cells: number): number | null =>
  capacities.find((capacity) => capacity >= cells) ?? null

export const regionBytes = (capacity: number): number => regionHeaderBytes + capacity * 8
