import { existsSync, writeFileSync } from 'node:fs'

/** Where Debian's package puts the library, by architecture. */
const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path))

/** The wall clock of a process that is started with this environment. */
export interface FakeClock {
  readonly environment: Record<string, string>
  /** How far it is ahead of the real one. */
  set(offsetSec: number): void
}

/** Null where Debian's package `faketime` is not installed. The library reads `offsetFile` whenever the time is asked for. */
export function createFakeClock(offsetFile: string): FakeClock | null {
  if (library === undefined) return null
  const set = (offsetSec: number): void =>
    writeFileSync(offsetFile, `${offsetSec < 0 ? '' : '+'}${offsetSec}s\n`)
  set(0)
  return {
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: offsetFile,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set,
  }
}
