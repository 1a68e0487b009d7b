import type { Usage } from './messages.ts'
import { watchTicks } from './tick-watch.ts'

const mebibyte = 1_048_576

/** Begins to measure this process; the function that is returned ends it. */
export function beginUsage(): () => Usage {
  const startedAt = performance.now()
  const cpuBefore = process.cpuUsage()
  const ticks = watchTicks()
  return () => {
    const { longestMs, longestBusyMs, over10Ms } = ticks.stop()
    const { user, system } = process.cpuUsage(cpuBefore)
    return {
      elapsedMs: performance.now() - startedAt,
      cpuMs: (user + system) / 1000,
      longestTickMs: longestMs,
      longestBusyTickMs: longestBusyMs,
      ticksOver10Ms: over10Ms,
      residentMb: process.memoryUsage.rss() / mebibyte,
      peakResidentMb: process.resourceUsage().maxRSS / 1024,
    }
  }
}
