import type { Database } from '../../platform/database.ts'
import { fault } from '../../platform/fault.ts'

/** What becomes of the next transactions: `lost answer` is one that was committed, and its caller is told it was not. */
export type Weather = 'fair' | 'away' | 'lost answer'

/** The connections of one process: a bad network can befall them, and they end with the process. */
export interface DyingDatabase extends Database {
  weather: Weather
  isDead: boolean
}

const away = () => fault('unavailable', 'The database does not answer; try again shortly')

export function dyingDatabase(database: Database): DyingDatabase {
  const dying: DyingDatabase = {
    ...database,
    sql: database.sql,
    weather: 'fair',
    isDead: false,
    run: (work, deadlineMs) => endure(() => database.run(work, deadlineMs)),
    transaction: (work, deadlineMs) => endure(() => database.transaction(work, deadlineMs)),
  }

  async function endure<Result>(work: () => Promise<Result>): Promise<Result> {
    if (dying.isDead || dying.weather === 'away') throw away()
    const { weather } = dying
    const result = await work()
    if (weather === 'lost answer') throw away()
    return result
  }

  return dying
}
