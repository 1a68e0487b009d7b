import type { Ticks } from './messages.ts'

/** Comes round every other millisecond and notes how late it is. */
export interface TickWatch {
  stop(): Ticks
}

const everyMs = 2
const longMs = 10

export function watchTicks(): TickWatch {
  let longestMs = 0
  let longestBusyMs = 0
  let busyOver10Ms = 0
  let lastAt = performance.now()
  let lastCpuMs = threadCpuMs()

  const timer = setInterval(() => {
    const at = performance.now()
    const cpuMs = threadCpuMs()
    const lateMs = at - lastAt - everyMs
    const busyMs = Math.min(lateMs, cpuMs - lastCpuMs)
    longestMs = Math.max(longestMs, lateMs)
    longestBusyMs = Math.max(longestBusyMs, busyMs)
    if (busyMs > longMs) busyOver10Ms++
    lastAt = at
    lastCpuMs = cpuMs
  }, everyMs)

  return {
    stop() {
      clearInterval(timer)
      return { longestMs, longestBusyMs, busyOver10Ms }
    },
  }
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
