import type { ProcessUsage } from './messages.ts'
import { watchTicks } from './tick-watch.ts'

const mebibyte = 1_048_576

/** Begins to measure this process; the function that is returned ends it. `reportsMs`: spent on reports since the start. */
export function beginUsage(watchesTicks: boolean, reportsMs: () => number): () => ProcessUsage {
  const startedAt = performance.now()
  const cpuBefore = process.cpuUsage()
  const reportsMsBefore = reportsMs()
  const watch = watchesTicks ? watchTicks() : null
  return () => {
    const ticks = watch?.stop() ?? null
    const { user, system } = process.cpuUsage(cpuBefore)
    return {
      elapsedMs: performance.now() - startedAt,
      cpuMs: (user + system) / 1000,
      reportsMs: reportsMs() - reportsMsBefore,
      ticks,
      residentMb: process.memoryUsage.rss() / mebibyte,
      peakResidentMb: process.resourceUsage().maxRSS / 1024,
    }
  }
}
