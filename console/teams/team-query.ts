import { trpc } from '../trpc.ts'

/** What is to be asked of one team. */
export const teamQuery = (team: string) => ({
  key: ['teams', team],
  query: () => trpc.teams.details.query({ team }),
})
