import type { ServerLink } from './server-link.ts'

/** The same link; calls `announce` once, when the server has taken a report for the first time. */
export function announceFirstReport(link: ServerLink, announce: () => void): ServerLink {
  let isAnnounced = false
  return {
    assignments: (etag, signal) => link.assignments(etag, signal),
    ping: () => link.ping(),
    async report(body, signature) {
      const outcome = await link.report(body, signature)
      if (outcome.kind === 'accepted' && !isAnnounced) {
        isAnnounced = true
        announce()
      }
      return outcome
    },
  }
}
