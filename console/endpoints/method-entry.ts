import { MethodPattern } from '../../shared/method-pattern.ts'
import { issueText } from '../forms/field-errors.ts'

/** What is wrong with one entry of a list of methods; null when nothing is. */
export const methodProblem = (entry: string): string | null =>
  MethodPattern.safeParse(entry).error?.issues.map(issueText)[0] ?? null

/** Whether two entries of a list of methods are the two parts of a path of a REST API. */
export const isPathEntry = (entry: string, next: string): boolean =>
  /^(?:GET|POST|PUT|PATCH|DELETE)$/.test(entry) && next.startsWith('/')
