import { slotBytes } from './slot-layout.ts'

/** The header is the first page of a file. Slots follow it; names stand at the end and grow towards them. */
export const headerBytes = 4_096

/** The bits of a slot's number that identify its place in a file; the others identify the file. */
const slotBits = 14
/**
 * The maximum number of slots in a file (names need room too): 2.2 MB, which take a millisecond to allocate.
 */
export const slotsPerFile = 2 ** slotBits
/** The bytes for slots and names together. */
export const slotsBytes = slotsPerFile * slotBytes
export const fileBytes = headerBytes + slotsBytes

/** Returns the index of the file of a slot. */
export const placeOf = (slotId: number): number => slotId >>> slotBits
export const slotIn = (slotId: number): number => slotId & (slotsPerFile - 1)

/** "ghusage" and the version of this layout. */
export const magic = 0x6768_7502

/** Indexes of u32 values in the header. */
export const headerWord = { magic: 0, slots: 1, usedSlots: 2, usedNameBytes: 3 } as const
/** The place of the writer's id: its length in a byte, then its text. */
export const writerByte = 64
export const maxWriterBytes = 100

/** Returns true when so many slots and bytes of names do not overlap. */
export const hasRoom = (slots: number, nameBytes: number): boolean =>
  slots * slotBytes + nameBytes <= slotsBytes
