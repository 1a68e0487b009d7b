import { headerList, httpAddress, someText } from './variable-schemas.ts'

/** The variables of the collector of traces, under the names that OpenTelemetry gives them. */
export const traceVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: httpAddress,
    fallback: null,
    about: 'collector that is sent traces, over OTLP/HTTP; none without it',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: headerList,
    fallback: '',
    isSecret: true,
    about: 'headers for the collector, such as authorization=Bearer%20token; several are separated by commas',
  },
  OTEL_SERVICE_NAME: {
    schema: someText('a text'),
    fallback: 'gatehouse',
    about: 'name of this installation in traces',
  },
} as const
