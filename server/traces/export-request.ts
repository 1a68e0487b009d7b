import type { Span } from './spans.ts'

/** Who sends the spans. */
export interface TracedProcess {
  readonly serviceName: string
  readonly version: string
  /** Of the process, so that those of one installation can be told apart. */
  readonly nodeId: string
}

const kinds = { server: 2, client: 3 } as const
const errorStatus = 2
const nanosPerMs = 1_000_000n

/**
 * Returns what an OTLP/HTTP receiver takes at `/v1/traces`, as JSON (`ExportTraceServiceRequest` of opentelemetry-proto: ids are
 * hexadecimal, 64-bit numbers are texts).
 */
export const exportRequest = (spans: readonly Span[], { serviceName, version, nodeId }: TracedProcess) => ({
  resourceSpans: [
    {
      resource: {
        attributes: attributesOf({
          'service.name': serviceName,
          'service.version': version,
          'service.instance.id': nodeId,
        }),
      },
      scopeSpans: [{ scope: { name: 'gatehouse', version }, spans: spans.map(otlpSpanOf) }],
    },
  ],
})

const otlpSpanOf = (span: Span) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentSpanId !== null && { parentSpanId: span.parentSpanId }),
  name: span.name,
  kind: kinds[span.kind],
  startTimeUnixNano: nanosOf(span.from),
  endTimeUnixNano: nanosOf(span.to),
  attributes: attributesOf(span.attributes),
  status: span.isError ? { code: errorStatus } : {},
})

/** Epoch ms have no room for ns in a number, so the whole ms and the rest are converted apart. */
function nanosOf(ms: number): string {
  const whole = Math.floor(ms)
  return String(BigInt(whole) * nanosPerMs + BigInt(Math.round((ms - whole) * 1e6)))
}

const attributesOf = (attributes: Span['attributes']) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === null ? [] : [{ key, value: valueOf(value) }],
  )

function valueOf(value: string | number) {
  if (typeof value === 'string') return { stringValue: value }
  return Number.isInteger(value) ? { intValue: value } : { doubleValue: value }
}
