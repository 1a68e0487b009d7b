import { expect, test } from 'bun:test'

import { violationsOf, type Rule } from './rule.ts'
import { sourceFile } from './source-file.ts'

/** A small tree of made-up files, as path and text. */
export type Planted = Record<string, string>

/** What a rule says of a planted tree, without its reason: `file:line rule: what`. */
export function judge(rule: Rule, planted: Planted): string[] {
  const files = Object.entries(planted).map(([path, text]) => sourceFile(path, text))
  return violationsOf([rule], files).map((line) => line.slice(0, line.indexOf(` (${rule.reason}`)))
}

/** One rule with trees that break it and trees that look similar and keep it. */
export interface Trial {
  rule: string
  breaks: { tree: Planted; says: string }[]
  keeps: Planted[]
}

/** Tests each rule on its trial; a rule without one fails. */
export function tryRules(rules: readonly Rule[], trials: readonly Trial[]): void {
  for (const rule of rules) {
    const trial = trials.find((candidate) => candidate.rule === rule.name)

    test(`${rule.name} finds what breaks it`, () => {
      expect(trial?.breaks.length).toBeGreaterThan(0)
      for (const { tree, says } of trial?.breaks ?? []) expect(judge(rule, tree)).toEqual([says])
    })

    test(`${rule.name} leaves alone what keeps it`, () => {
      expect(trial?.keeps.length).toBeGreaterThan(0)
      for (const tree of trial?.keeps ?? []) expect(judge(rule, tree)).toEqual([])
    })
  }
}
