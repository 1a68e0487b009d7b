import { availableParallelism, cpus, loadavg, release, type } from 'node:os'

/** Where the numbers come from. */
export interface Machine {
  readonly cores: number
  readonly processor: string
  readonly runtime: string
  readonly system: string
  /** Of the last minute: what else the machine does makes every number worse. */
  readonly load: string
}

export const readMachine = (): Machine => ({
  cores: availableParallelism(),
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  runtime: `Bun ${Bun.version}`,
  system: `${type()} ${release()}`,
  load: (loadavg()[0] ?? 0).toFixed(1),
})
