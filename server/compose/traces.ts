import manifest from '../../package.json' with { type: 'json' }
import type { Config } from '../config/config.ts'
import { systemClock } from '../platform/clock.ts'
import { createEgress } from '../platform/egress.ts'
import { type Traces, createTraces } from '../traces/traces.ts'
import type { CoreServices } from './core-services.ts'

/** The operator names the collector in the environment, and it mostly runs on the same machine. */
const anyAddress = ['0.0.0.0/0', '::/0']

/** Returns null without a collector. */
export function openTraces(
  config: Config,
  { log, metrics, nodeId }: Pick<CoreServices, 'log' | 'metrics' | 'nodeId'>,
): Traces | null {
  if (config.traces === null) return null
  const { serviceName, ...collector } = config.traces
  const egress = createEgress({ clock: systemClock, allowPrivate: anyAddress, schemes: ['http', 'https'] })
  const traces = createTraces({
    ...collector,
    process: { serviceName, version: manifest.version, nodeId },
    egress,
    clock: systemClock,
    log,
    metrics,
  })
  traces.start()
  return {
    ...traces,
    async stop() {
      await traces.stop()
      egress.close()
    },
  }
}
