import * as z from 'zod/mini'

import { LoggedRequest } from '../../shared/request-log.ts'

/** Returns a request as one line of a segment. */
export const formatLine = (request: LoggedRequest): string => `${JSON.stringify(request)}\n`

/** Parses a line of a segment; returns null for one that a kill or a full disk cut off. */
export function parseLine(line: string): LoggedRequest | null {
  try {
    const parsed = z.safeParse(LoggedRequest, JSON.parse(line))
    return parsed.success ? parsed.data : null
  } catch {
    return null // a torn line is no JSON
  }
}
