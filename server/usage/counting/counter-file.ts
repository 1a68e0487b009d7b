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
} from './file-layout.ts'
import { checkOf, slotWords, word } from './slot-layout.ts'

/**
 * Counters in a mapped file: what is written here outlives the process, however it ends. Slots are only ever added, and
 * one is part of the file from the moment at which the header counts it.
 */
export interface CounterFile {
  readonly path: string
  /** The slots, one after the other, as u32, f64 and bytes. */
  readonly words: Uint32Array
  readonly numbers: Float64Array
  readonly bytes: Uint8Array
  usedSlots(): number
  /** The place at which a name stands, in bytes from the end of the file; null: there is no room. */
  addName(name: string): number | null
  /** The new slot's number, all zero but its names and minute; null: there is no room. */
  addSlot(keyName: number, methodName: number, minute: number): number | null
  /** Puts everything on the disk, off the event loop. */
  sync(): Promise<void>
  remove(): void
}

/** @throws what the file system says, ENOSPC above all; nothing is left of the file then. */
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
