import { rmSync } from 'node:fs'
import { open } from 'node:fs/promises'

import { createAllocatedFile } from '../../platform/allocated-file.ts'
import {
  fileBytes,
  hasRoom,
  headerBytes,
  headerWord,
  magic,
  slotsBytes,
  slotsPerFile,
  writerByte,
  checkOf,
  slotWords,
  word,
} from './slot-layout.ts'

/**
 * Counters in a mapped file, which outlive the process however it ends. Slots are only ever added; a slot belongs to
 * the file from the moment at which the header counts it.
 */
export interface CounterFile {
  readonly path: string
  /** The slots one after the other, as u32, f64 and bytes. */
  readonly words: Uint32Array
  readonly numbers: Float64Array
  readonly bytes: Uint8Array
  usedSlots(): number
  /** Stores a name. Returns its place in bytes from the end of the file, or null when there is no room. */
  addName(name: string): number | null
  /** Adds a slot, all zero but its names and minute. Returns its number, or null when there is no room. */
  addSlot(keyName: number, methodName: number, minute: number): number | null
  /** Flushes everything to the disk, off the event loop. */
  sync(): Promise<void>
  remove(): void
}

/** Creates the file. Throws what the file system says, ENOSPC above all, and leaves no file then. */
export function createCounterFile(path: string, writer: string): CounterFile {
  createAllocatedFile(path, fileBytes)
  const mapped = Bun.mmap(path, { shared: true })
  const header = new Uint32Array(mapped.buffer, mapped.byteOffset, headerBytes / 4)
  mapped[writerByte] = new TextEncoder().encodeInto(writer, mapped.subarray(writerByte + 1)).written
  header[headerWord.slots] = slotsPerFile
  Atomics.store(header, headerWord.magic, magic)
  return counterFileOver(path, mapped, header)
}

function counterFileOver(path: string, mapped: Uint8Array, header: Uint32Array): CounterFile {
  const slotsAt = mapped.byteOffset + headerBytes
  const words = new Uint32Array(mapped.buffer, slotsAt, slotsBytes / 4)
  const encoder = new TextEncoder()
  const used = (counter: number): number => header[counter] ?? 0

  return {
    path,
    words,
    numbers: new Float64Array(mapped.buffer, slotsAt, slotsBytes / 8),
    bytes: mapped.subarray(headerBytes),
    usedSlots: () => used(headerWord.usedSlots),
    addName(name) {
      const encoded = encoder.encode(name)
      const place = used(headerWord.usedNameBytes) + 2 + encoded.length
      if (!hasRoom(used(headerWord.usedSlots), place)) return null
      const at = fileBytes - place
      mapped[at] = encoded.length & 0xff
      mapped[at + 1] = encoded.length >> 8
      mapped.set(encoded, at + 2)
      Atomics.store(header, headerWord.usedNameBytes, place)
      return place
    },
    addSlot(keyName, methodName, minute) {
      const slot = used(headerWord.usedSlots)
      if (!hasRoom(slot + 1, used(headerWord.usedNameBytes))) return null
      const first = slot * slotWords
      words[first + word.keyName] = keyName
      words[first + word.methodName] = methodName
      words[first + word.minute] = minute
      words[first + word.check] = checkOf(keyName, methodName, minute)
      // Last, and not before the others: a process that is killed here leaves no slot.
      Atomics.store(header, headerWord.usedSlots, slot + 1)
      return slot
    },
    async sync() {
      // Of the same file: the kernel writes what was changed through the mapping, too.
      const file = await open(path, 'r+')
      await file.datasync().finally(() => file.close())
    },
    remove: () => rmSync(path, { force: true }),
  }
}
