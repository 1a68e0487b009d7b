import { dlopen, FFIType, ptr } from 'bun:ffi'

const monotonicClock = 1

/**
 * Milliseconds since the machine started, the same in all processes: what bun itself offers counts from the start of
 * each process, so logs of several could not be laid over each other.
 */
export function createCommonClock(): { now(): number; monotonic(): number } {
  const libc = dlopen('libc.so.6', {
    clock_gettime: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.i32 },
  })
  const time = new BigInt64Array(2)
  const address = ptr(time)
  return {
    now: () => Date.now(),
    monotonic() {
      libc.symbols.clock_gettime(monotonicClock, address)
      return Number(time[0]) * 1_000 + Number(time[1]) / 1e6
    },
  }
}
