import { statisticsBounds } from '../../shared/usage.ts'
import { trpc } from '../trpc.ts'
import { everyPage } from './every-page.ts'
import { keysCsv, methodsCsv } from './usage-csv.ts'
import { rowsWith } from './usage-rows.ts'
import { questionOf } from './usage-view.ts'
import type { UsageView } from './usage-view.ts'

/**
 * The content of a file with all rows that the view lets through, not only those on the screen. `tell` hears how many
 * were read so far.
 */
export async function exportUsage(
  view: UsageView,
  now: number,
  tell: (rows: number) => void,
): Promise<string> {
  const { usage, operatorUsage } = trpc
  const { account, ...question } = pageQuestionOf(view, now)
  if (view.by === 'key') {
    const lines = await everyPage(
      (cursor) =>
        account === undefined
          ? usage.keyPage.query({ ...question, ...cursor })
          : operatorUsage.keyPage.query({ ...question, ...cursor, account }),
      tell,
    )
    return keysCsv(rowsWith(lines, view.only))
  }
  const lines = await everyPage(
    (cursor) =>
      account === undefined
        ? usage.methodPage.query({ ...question, ...cursor })
        : operatorUsage.methodPage.query({ ...question, ...cursor, account }),
    tell,
  )
  return methodsCsv(rowsWith(lines, view.only))
}

function pageQuestionOf(view: UsageView, now: number) {
  const { from, to, isByFives = false, ...filter } = questionOf(view, now)
  return {
    ...filter,
    ...(isByFives && { granularity: '5m' as const }),
    ...(from !== undefined && { from: secondsText(from) }),
    ...(to !== undefined && { to: secondsText(to) }),
    limit: statisticsBounds.limit,
  }
}

const secondsText = (at: number): string => String(Math.floor(at / 1_000))
