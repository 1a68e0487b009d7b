import { votedDecisions } from './reason.ts'
import { objectionNames } from './objections.ts'

/**
 * A reason as the history keeps it (`2 of 3 say LAG: BLOCKS_BEHIND`) in words. Numbers are not in it; what is written
 * in another form stays as it is.
 */
export function storedReason(text: string): string {
  const match = /^(\d+) of (\d+) say (OK|LAG|BAD)(?:: ([A-Z_0-9, ]+))?$/.exec(text)
  if (match === null) return text
  const [, agreeing, all, vote, objections] = match
  const decision = Object.entries(votedDecisions).find(([name]) => name === vote)?.[1]
  const why = objections?.split(', ').map((name) => objectionNames.get(name) ?? name)
  return `${agreeing} of ${all} ${agreeing === '1' ? 'says' : 'say'} ${decision}${why ? `: ${[...new Set(why)].join('; ')}` : ''}`
}
