import { CircleCheck, CircleQuestionMark, ClockAlert, OctagonX } from '@lucide/vue'
import type { Component } from 'vue'

import type { Decision } from '../../shared/health.ts'
import type { Tone } from '../ui/tone.ts'

/** Decisions, the worst first. UNKNOWN is worse than LATENCY, because the service may not work at all. */
export const worstFirst: readonly Decision[] = ['DOWN', 'UNKNOWN', 'LATENCY', 'UP']

export const decisionTones: Readonly<Record<Decision, Tone>> = {
  UP: 'ok',
  LATENCY: 'warn',
  DOWN: 'bad',
  UNKNOWN: 'plain',
}

/** A shape of its own for each decision: an octagon, a clock, a tick, a question mark. */
export const decisionIcons: Readonly<Record<Decision, Component>> = {
  UP: CircleCheck,
  LATENCY: ClockAlert,
  DOWN: OctagonX,
  UNKNOWN: CircleQuestionMark,
}

/** One line for people who see the word for the first time. */
export const decisionMeanings: Readonly<Record<Decision, string>> = {
  UP: 'Answers, and is where its chain is',
  LATENCY: 'Answers, but is behind its chain, or slow',
  DOWN: 'Does not answer, or its answers are worthless',
  UNKNOWN: 'Too few verifiers report to say',
}
