import { z } from 'zod/mini'

import { type AccountRow, type AccountsPage, type AccountsQuery, accountDays } from '../../shared/accounts.ts'
import { dayMs } from '../../shared/durations.ts'
import type { Database } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'
import { type AccountPlace, createAccountPlaces } from './account-places.ts'
import { identityLabel, nameOfAccount } from './identity.ts'
import type { ConfiguredOperators } from './operators.ts'
import { effectiveStanding } from './operators.ts'
import type { AccountStore } from './store.ts'

/** Calls and credits of one account on one day, as far as they are rolled up. */
export interface AccountDay {
  readonly accountId: string
  /** The beginning of the day in UTC, epoch ms. */
  readonly day: number
  readonly calls: number
  readonly credits: number
}

/** Sums of usage, which another domain has. */
export interface AccountUse {
  /** Of these accounts, since the beginning of a day (epoch ms). */
  daysOf(accountIds: readonly string[], since: number): Promise<AccountDay[]>
  /** Of every account that made a call since an instant (epoch ms). */
  sumsSince(since: number): Promise<Omit<AccountDay, 'day'>[]>
}

interface AccountListParts {
  readonly database: Database
  readonly store: AccountStore
  readonly operators: ConfiguredOperators
  readonly now: () => number
  readonly use: () => AccountUse
}

const recentDays = 7

const Cursor = z.tuple([z.union([z.string(), z.number()]), z.string()])

const cursorOf = ({ at, id }: AccountPlace): string =>
  Buffer.from(JSON.stringify([at, id])).toString('base64url')

function placeIn(cursor: string): AccountPlace {
  try {
    const [at, id] = Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    return { at: Number(at), id }
  } catch {
    throw fault('invalid_request', 'cursor: expected nextCursor of the page before')
  }
}

/** The list of accounts for operators, a page at a time. */
export function createAccountList({ database, store, operators, now, use }: AccountListParts) {
  const places = createAccountPlaces(database)
  const today = (): number => Math.floor(now() / dayMs) * dayMs

  /** With their keys and their use; of ids that are none, nothing. */
  async function rowsOf(ids: readonly string[]): Promise<AccountRow[]> {
    const first = today() - (accountDays - 1) * dayMs
    const [accounts, keys, days] = await Promise.all([
      store.listOf(ids),
      places.keyCounts(ids),
      use().daysOf(ids, first),
    ])
    return accounts.map((account): AccountRow => {
      const ofAccount = days.filter(({ accountId }) => accountId === account.id)
      const recent = ofAccount.filter(({ day }) => day > today() - recentDays * dayMs)
      return {
        ...account,
        ...effectiveStanding(account, operators),
        queryKeys: keys.get(account.id)?.queryKeys ?? 0,
        apiKeys: keys.get(account.id)?.apiKeys ?? 0,
        calls: sum(recent.map(({ calls }) => calls)),
        credits: sum(recent.map(({ credits }) => credits)),
        days: Array.from({ length: accountDays }, (_, place) =>
          sum(ofAccount.filter(({ day }) => day === first + place * dayMs).map(({ calls }) => calls)),
        ),
      }
    })
  }

  return {
    rowsOf,

    /** Fault: `invalid_request` for a cursor that is none. */
    async page({ cursor, limit, ...query }: AccountsQuery): Promise<AccountsPage> {
      const after = cursor === undefined ? null : placeIn(cursor)
      const [found, counts] = await Promise.all([
        places.find({ ...query, after, limit: limit + 1 }),
        places.counts(),
      ])
      const shown = found.slice(0, limit)
      const accounts = await rowsOf(shown.map(({ id }) => id))
      const last = found.length > limit ? shown.at(-1) : undefined
      return { accounts, nextCursor: last === undefined ? null : cursorOf(last), counts }
    },

    /** The newest accounts that fit a text, with what they are called. */
    async search(text: string, limit: number): Promise<{ id: string; name: string; detail: string }[]> {
      const found = await places.find({
        search: text,
        order: 'created',
        after: null,
        limit,
        state: undefined,
      })
      const accounts = await store.listOf(found.map(({ id }) => id))
      return accounts.map((account) => ({
        id: account.id,
        name: nameOfAccount(account),
        detail: account.identities.map(identityLabel).join(' · '),
      }))
    },

    /** Brings what accounts are sorted by up to date with what is rolled up. */
    async refresh(): Promise<void> {
      await places.saveUse(await use().sumsSince(today() - (recentDays - 1) * dayMs))
    },
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
