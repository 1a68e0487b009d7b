import { slotBytes } from './slot-layout.ts'

/** The first page of a mapped file. Slots follow it; names stand at the end and grow towards them. */
export const headerBytes = 4_096

/** Slots are numbered over all files: so many bits of the number are the place in the file. */
const slotBits = 14
/** There are a few less in a file, because names need room, too: 2.2 MB, which take a millisecond to allocate. */
export const slotsPerFile = 2 ** slotBits
/** Of slots and names together. */
export const slotsBytes = slotsPerFile * slotBytes
export const fileBytes = headerBytes + slotsBytes

/** Of the file, by the number of a slot. */
export const placeOf = (slotId: number): number => slotId >>> slotBits
export const slotIn = (slotId: number): number => slotId & (slotsPerFile - 1)

/** "ghusage" and the version of this layout. */
export const magic = 0x6768_7502

/** Places of u32 in the header. */
export const headerWord = { magic: 0, slots: 1, usedSlots: 2, usedNameBytes: 3 } as const
/** Of the writer's id: its length in a byte, then its text. */
export const writerByte = 64
export const maxWriterBytes = 100

/** Whether so many slots and bytes of names do not touch each other. */
export const hasRoom = (slots: number, nameBytes: number): boolean =>
  slots * slotBytes + nameBytes <= slotsBytes
