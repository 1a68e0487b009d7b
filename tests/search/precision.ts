import type { SearchOutput } from '../../shared/registry.ts'
import type { RegistryIndex } from '../../server/registry/index/registry-index.ts'
import { mergeRow } from '../../server/registry/merge.ts'
import type { RegistryQueries } from '../../server/registry/queries/queries.ts'
import type { Judged, JudgedQuestion } from './judgement.ts'

export interface Measured {
  readonly question: JudgedQuestion
  /** How many providers of how many categories the data has that answer it. */
  readonly inData: number
  readonly page: SearchOutput
  /** For each of the first five results, whether it answers. A service that is there twice answers once. */
  readonly answers: readonly boolean[]
  readonly precision: number
  readonly isRepeated: boolean
}

const most = 5

/**
 * Asks each question and judges the first five results. Precision is the part of them that answer, of five, or of as many
 * as are shown or as there are, if that is less: what is shown beside the only answer counts against it.
 */
export function measurePrecision(
  questions: readonly JudgedQuestion[],
  index: RegistryIndex,
  queries: RegistryQueries,
): Measured[] {
  const entries = entriesOf(index)
  return questions.map((question) => {
    const inData = new Set(
      entries
        .filter(question.isAnswer)
        .map(({ category, cells }) => `${category} ${String(cells['provider'])}`),
    ).size
    const answer = queries.search({ query: question.text })
    if (!answer.ok) throw new Error(answer.refusal.message)
    const ids = answer.value.results.map(({ service_id: id }) => id)
    const shown = answer.value.results.slice(0, most)
    const answers = shown.map(({ service_id: serviceId, chain }, place) => {
      const found = queries.find({ serviceId, chain })
      if (!found.ok) throw new Error(found.refusal.message)
      const { category, snapshot: cells } = found.value
      return ids.indexOf(serviceId) === place && question.isAnswer({ serviceId, chain, category, cells })
    })
    const outOf = Math.min(most, Math.max(inData, shown.length))
    const precision = outOf === 0 ? 1 : answers.filter(Boolean).length / outOf
    return {
      question,
      inData,
      page: answer.value,
      answers,
      precision,
      isRepeated: new Set(ids).size < ids.length,
    }
  })
}

function entriesOf({ rows, serviceIds, snapshot }: RegistryIndex): Judged[] {
  return rows.flatMap((row, number) => {
    const cells = mergeRow(row.listing, row)
    return row.networks.map((network) => ({
      serviceId: serviceIds[number] ?? '',
      category: row.listing.category,
      chain: snapshot.networks[network] ?? '',
      cells,
    }))
  })
}

export interface Summary {
  readonly questions: number
  readonly precision: number
  /** Questions with an answer in the data whose first five results have none. */
  readonly unanswered: readonly string[]
  /** Questions with an answer in the data that get no result at all. */
  readonly empty: readonly string[]
  readonly repeated: readonly string[]
}

/** Sums up the questions that have an answer in the data. */
export function summaryOf(measured: readonly Measured[]): Summary {
  const answerable = measured.filter(({ inData }) => inData > 0)
  const textsOf = (those: readonly Measured[]): string[] => those.map(({ question }) => question.text)
  return {
    questions: answerable.length,
    precision: answerable.reduce((sum, { precision }) => sum + precision, 0) / Math.max(1, answerable.length),
    unanswered: textsOf(answerable.filter(({ answers }) => !answers.includes(true))),
    empty: textsOf(answerable.filter(({ page }) => page.results.length === 0)),
    repeated: textsOf(measured.filter(({ isRepeated }) => isRepeated)),
  }
}

export const isTuned = ({ question: { line } }: Measured): boolean => line % 2 === 1
