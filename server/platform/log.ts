import { type DestinationStream, pino } from 'pino'

import { redact, redactText } from './redact.ts'

/** One JSON line per event. Fields are redacted: see `redact.ts`. */
export interface Log {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

interface LogOptions {
  level: LogLevel
  /** Receives the lines; standard output unless given. */
  destination?: DestinationStream
  /** What every line has. */
  fields?: Record<string, string | number>
}

/** Longer lines lose their fields: a log shipper cuts them anyway, and then they are no JSON. */
const maxFieldsChars = 16_384

/** Names that pino itself writes; a field of that name would make a second key of the same name. */
const reservedNames = new Set(['level', 'time', 'msg'])

/** Writes lines such as `{"level":"info","time":"2026-01-02T03:04:05.678Z","msg":"…", …fields}`. */
export function createLog({ level, destination, fields: ofAll }: LogOptions): Log {
  const logger = pino(
    {
      level,
      base: ofAll ?? null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination ?? pino.destination({ fd: 1, sync: true }),
  )

  const writer =
    (name: Exclude<LogLevel, 'silent'>) => (message: string, fields?: Record<string, unknown>) => {
      if (!logger.isLevelEnabled(name)) return
      logger[name](fields === undefined ? {} : safeFields(fields), redactText(message))
    }

  return { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') }
}

function safeFields(fields: Record<string, unknown>): Record<string, unknown> {
  const clean = redact(fields)
  const named: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(clean ?? {})) {
    named[reservedNames.has(name) ? `${name}_` : name] = value
  }
  const chars = JSON.stringify(named).length
  return chars <= maxFieldsChars ? named : { fieldsLeftOut: Object.keys(named), fieldsChars: chars }
}
