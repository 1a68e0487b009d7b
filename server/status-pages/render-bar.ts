import type { DayState } from './shown-page.ts'

const dayClasses: Readonly<Record<DayState, string>> = {
  up: 'u',
  late: 'l',
  down: 'd',
  unknown: 'k',
  maintenance: 'm',
  none: 'n',
}

const worstFirst: readonly DayState[] = ['down', 'late', 'unknown', 'maintenance', 'up', 'none']

/** Returns the worst of each so many days. */
function strokesOf(days: readonly DayState[], daysOfStroke: number): readonly DayState[] {
  const strokes: DayState[] = []
  for (let end = days.length; end > 0; end -= daysOfStroke) {
    const part = new Set(days.slice(Math.max(0, end - daysOfStroke), end))
    strokes.unshift(worstFirst.find((state) => part.has(state)) ?? 'none')
  }
  return strokes
}

/**
 * Returns a bar of days. Strokes that are alike are one line: 90 days take a hundred characters, and eight hundred where no day is
 * like the one before.
 */
export function renderBar(days: readonly DayState[], daysOfStroke: number, label: string): string {
  const strokes = strokesOf(days, daysOfStroke)
  const lines = new Map<DayState, string>()
  let first = 0
  for (let place = 1; place <= strokes.length; place++) {
    const state = strokes[first]
    if (state === undefined || strokes[place] === state) continue
    const line = `M${first * 4} ${state === 'none' ? 26 : 17}h${(place - first) * 4 - 1}`
    lines.set(state, `${lines.get(state) ?? ''}${line}`)
    first = place
  }
  const paths = Array.from(lines, ([state, line]) => `<path class="${dayClasses[state]}" d="${line}"/>`)
  return `<svg class="bar" viewBox="0 0 ${strokes.length * 4 - 1} 34" preserveAspectRatio="none" role="img" aria-label="${label}">${paths.join('')}</svg>`
}

const legendParts: readonly (readonly [DayState, string])[] = [
  ['up', 'working'],
  ['late', 'slow or behind'],
  ['down', 'down'],
  ['unknown', 'unknown'],
  ['maintenance', 'maintenance'],
  ['none', 'not watched'],
]

/** Returns what the strokes of bars mean. */
export function renderLegend(daysOfStroke: number): string {
  const parts = legendParts.map(
    ([state, word]) =>
      `<span><svg viewBox="0 0 3 26" preserveAspectRatio="none" aria-hidden="true"><path class="${dayClasses[state]}" d="M0 ${state === 'none' ? 20 : 13}h3"/></svg>${word}</span>`,
  )
  const many = daysOfStroke === 1 ? '' : `<span>a stroke is the worst of ${daysOfStroke} days</span>`
  return `<div class="key">${parts.join('')}${many}</div>`
}
