import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

import * as z from 'zod/mini'

import { parseJson } from '../../platform/json.ts'
import { writeWholeFile } from '../../platform/whole-file.ts'

/** The state that an agent needs after a restart. */
export interface StoredVerifierState {
  readonly verifierId: string
  /** Returns the highest sequence number that may have been used. */
  lastSeq(): number
  saveSeq(seq: number): Promise<void>
}

const StoredState = z.object({
  verifierId: z.string().check(z.minLength(1), z.maxLength(64)),
  tokenHash: z.string(), // of the token that was spent on this enrolment
  lastSeq: z.int().check(z.minimum(0)),
})

export type OpenedState =
  | { kind: 'absent' }
  | { kind: 'damaged'; path: string }
  | { kind: 'found'; state: StoredVerifierState; tokenHash: string }

const stateFile = (folder: string): string => join(folder, 'verifier.json')

function stateIn(path: string, stored: z.infer<typeof StoredState>): StoredVerifierState {
  let lastSeq = stored.lastSeq
  return {
    verifierId: stored.verifierId,
    lastSeq: () => lastSeq,
    async saveSeq(seq) {
      lastSeq = seq
      await writeWholeFile(path, JSON.stringify({ ...stored, lastSeq }))
    },
  }
}

/** Opens the state that an enrolment left in the folder. */
export async function openVerifierState(folder: string): Promise<OpenedState> {
  const path = stateFile(folder)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { kind: 'absent' }
    throw error
  }
  const stored = StoredState.safeParse(parseJson(text))
  if (!stored.success) return { kind: 'damaged', path }
  return { kind: 'found', state: stateIn(path, stored.data), tokenHash: stored.data.tokenHash }
}

/** Makes the folder and tries to write a file there. Returns the code of what prevents it; null where nothing does. */
export async function writeProblemOf(folder: string): Promise<string | null> {
  const path = join(folder, 'verifier-trial')
  try {
    await writeWholeFile(path, 'This file may be deleted.')
    await rm(path)
    return null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}

/** Writes the state of a verifier that has just been enrolled. */
export async function createState(
  folder: string,
  verifierId: string,
  tokenHash: string,
): Promise<StoredVerifierState> {
  const path = stateFile(folder)
  const stored = { verifierId, tokenHash, lastSeq: 0 }
  await writeWholeFile(path, JSON.stringify(stored))
  return stateIn(path, stored)
}

/** State in memory only, for the built-in verifier, whose server stores the sequence for it. */
export function createMemoryState(verifierId: string, startSeq = 0): StoredVerifierState {
  let lastSeq = startSeq
  return {
    verifierId,
    lastSeq: () => lastSeq,
    saveSeq(seq) {
      lastSeq = seq
      return Promise.resolve()
    },
  }
}
