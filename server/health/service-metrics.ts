import { type Decision, decisions } from '../../shared/health.ts'
import { nextTurn } from '../platform/turns.ts'
import { ascending, lowerMedian } from './decide/median.ts'
import { hasLag, type Report } from './decide/vote.ts'
import type { Service } from './services/service.ts'

/** What `/metrics/services` shows of one service. Null is left out, because 0 would be a statement. */
export interface ServiceSample {
  readonly service: Pick<Service, 'id' | 'chain' | 'provider'>
  readonly decision: Decision
  /** Null while nothing is decided, and for families that read no head. */
  readonly lagBlocks: number | null
  readonly lagSec: number | null
  readonly liveVerifiers: number
  /** Unix seconds of the last change of the decision; null before the first evaluation. */
  readonly changedAt: number | null
  /** Null while no verifier has a fresh answer. */
  readonly responseMs: number | null
  /** Unix seconds; null where no certificate is known. */
  readonly certificateExpiresAt: number | null
}

interface ServiceMetric {
  readonly name: string
  readonly help: string
  readonly valueOf: (sample: ServiceSample) => number | null
}

const decisionNumbers = decisions.map((decision, number) => `${number} ${decision}`).join(', ')

/** One series each for every service; the first one alone is there for all of them. */
const serviceMetrics: readonly ServiceMetric[] = [
  {
    name: 'decision',
    help: `Published decision of a service: ${decisionNumbers}`,
    valueOf: ({ decision }) => decisions.indexOf(decision),
  },
  {
    name: 'lag_blocks',
    help: 'Average lag of a service behind the reference head, in blocks; not there while UNKNOWN',
    valueOf: ({ lagBlocks }) => lagBlocks,
  },
  {
    name: 'lag_seconds',
    help: 'Average lag of a service behind the reference head; not there while UNKNOWN',
    valueOf: ({ lagSec }) => lagSec,
  },
  {
    name: 'live_verifiers',
    help: 'Verifiers that report on a service',
    valueOf: ({ liveVerifiers }) => liveVerifiers,
  },
  {
    name: 'last_change_timestamp_seconds',
    help: 'Unix time since which the decision of a service holds',
    valueOf: ({ changedAt }) => changedAt,
  },
  {
    name: 'response_seconds',
    help: 'Median response time of a service over the verifiers with a fresh answer',
    valueOf: ({ responseMs }) => (responseMs === null ? null : responseMs / 1000),
  },
  {
    name: 'certificate_expiry_timestamp_seconds',
    help: 'Unix time at which the TLS certificate of a service ends',
    valueOf: ({ certificateExpiresAt }) => certificateExpiresAt,
  },
]

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\0': '\u{FFFD}' }

/** Escapes a label value as the text format 0.0.4 demands. NUL, which ends the input of Prometheus's parser, is replaced. */
const labelValue = (text: string): string =>
  text.replaceAll(/[\\"\n\0]/g, (character) => escapes[character] ?? '')

const labelsOf = ({ id, chain, provider }: ServiceSample['service']): string =>
  `{service="${labelValue(id)}",chain="${labelValue(chain ?? '')}",provider="${labelValue(provider)}"}`

/** Returns the lower median response time (ms) of the reports that carry an answer. */
export function medianResponse(reports: readonly Report[]): number | null {
  const times = reports.filter(hasLag).map(({ rttMs }) => rttMs)
  return times.length === 0 ? null : lowerMedian(times.sort(ascending))
}

/** Longest time (ms) for which one slice may occupy the event loop. */
const sliceMs = 2

/**
 * Renders the metrics of services in the Prometheus text format 0.0.4, a chunk at a time: seven series at most for each
 * service. Other work runs between chunks, because 10,000 services are some 10 MB.
 */
export async function* renderServiceMetrics<Listed>(
  services: readonly Listed[],
  sampleOf: (service: Listed) => ServiceSample,
  now: () => number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const encoder = new TextEncoder()
  let sliceEndsAt = now() + sliceMs
  const rows: { labels: string; sample: ServiceSample }[] = []
  for (const service of services) {
    const sample = sampleOf(service)
    rows.push({ labels: labelsOf(sample.service), sample })
    if (now() < sliceEndsAt) continue
    await nextTurn()
    sliceEndsAt = now() + sliceMs
  }
  for (const { name, help, valueOf } of serviceMetrics) {
    const fullName = `gatehouse_service_${name}`
    let text = `# HELP ${fullName} ${help}\n# TYPE ${fullName} gauge\n`
    for (const { labels, sample } of rows) {
      const value = valueOf(sample)
      if (value !== null) text += `${fullName}${labels} ${value}\n`
      if (now() < sliceEndsAt) continue
      yield encoder.encode(text)
      text = ''
      await nextTurn()
      sliceEndsAt = now() + sliceMs
    }
    yield encoder.encode(text)
  }
}
