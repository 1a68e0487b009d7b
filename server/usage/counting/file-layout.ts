import { slotBytes } from './slot-layout.ts'

/** The first page of a mapped file; slots follow it, and names follow those. */
export const headerBytes = 4_096

/** Slots of one file: 2.8 MB with the names, which take a millisecond to allocate. */
export const slotsPerFile = 16_384
/** For keys and methods; where they are longer than this for each slot, the file is full before its slots are. */
const nameBytesPerSlot = 32

export const nameBytesPerFile = slotsPerFile * nameBytesPerSlot
export const firstNameByte = headerBytes + slotsPerFile * slotBytes
export const fileBytes = firstNameByte + nameBytesPerFile

/** "ghusage" and the version of this layout. */
export const magic = 0x6768_7501

/** Places of u32 in the header. */
export const headerWord = { magic: 0, slots: 1, usedSlots: 2, usedNameBytes: 3 } as const
/** Of the writer's id: its length in a byte, then its text. */
export const writerByte = 64
export const maxWriterBytes = 100
