import { Fault } from '../../platform/fault.ts'
import type { ChangeLog } from './change-log.ts'

/** Pauses between questions, in ms: most nodes answer within the first few; all together make the second it may take. */
const pausesMs = [2, 4, 8, 16, 30, 60, 80, 100, 100, 100, 100, 100, 100, 100, 100] as const

/** Whether every node that was seen in the last `livingSec` has applied a committed version; waits for about a second. */
export async function isAppliedEverywhere(
  changeLog: ChangeLog,
  version: number,
  livingSec: number,
): Promise<boolean> {
  try {
    for (const pauseMs of pausesMs) {
      if ((await changeLog.countBehind(version, livingSec)) === 0) return true
      await Bun.sleep(pauseMs)
    }
    return (await changeLog.countBehind(version, livingSec)) === 0
  } catch (error) {
    // The change was made all the same: its caller must not be told otherwise.
    if (error instanceof Fault && error.code === 'unavailable') return false
    throw error
  }
}
