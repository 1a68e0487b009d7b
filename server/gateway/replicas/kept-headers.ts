/** What a request says to the gateway; the rest is about its way here. */
const kept =
  /^(?:accept|authorization|content-type|last-event-id|traceparent|tracestate|baggage|mcp-.+|x-gateway-.+)$/

export const keptHeaders = (headers: Headers): [string, string][] =>
  [...headers].filter(([name]) => kept.test(name))

/** Of an answer: what the process that hands it on cannot know. */
const returned =
  /^(?:allow|cache-control|content-type|mcp-.+|ratelimit.*|retry-after|www-authenticate|x-accel-buffering)$/

export const returnedHeaders = (headers: Headers): [string, string][] =>
  [...headers].filter(([name]) => returned.test(name))
