/** EIP-1474's "limit exceeded", and the status 429 that some providers use as a code. */
const overloadCode = /"code"\s*:\s*(?:-32005|429)\b/
/** What providers say for it under other codes. Limits of a single question ("more than 10000 results") are not meant. */
const overloadText =
  /rate.?limit|too many requests|compute units per second|capacity (?:limit )?exceeded|request limit reached|overloaded|server is busy/i

/** Whether an error object says that this upstream has too much to do, so that another one may well answer. */
export const isOverloadAnswer = (error: string): boolean =>
  error.length < 2_000 &&
  (overloadText.test(error) || (overloadCode.test(error) && !/results|range/i.test(error)))
