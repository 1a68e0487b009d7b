import { dayMs } from '../../../shared/durations.ts'
import type { BudgetPeriod, BudgetUse, PeriodBudget } from '../../../shared/upstream-budget.ts'

/** What is left of what an upstream may be asked. Instants are ms since the epoch. */
export interface Budget {
  /** Returns for how many ms so much cannot be asked; 0 when it can be now. */
  waitMs(calls: number, credits: number, now: number): number
  /** Returns how many calls of so many credits each can be asked now. */
  roomFor(credits: number, now: number): number
  spend(calls: number, credits: number, now: number): void
  /** The upstream has refused a call because of a limit. */
  limited(now: number): void
  use(now: number): BudgetUse
}

/** The period in which an instant lies. `to` is the first instant after it. */
export function periodAt(per: BudgetPeriod, now: number): { readonly from: number; readonly to: number } {
  if (per === 'month') {
    const date = new Date(now)
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
    return { from: Date.UTC(year, month), to: Date.UTC(year, month + 1) }
  }
  const lengthMs = per === 'day' ? dayMs : per * 1_000
  const from = Math.floor(now / lengthMs) * lengthMs
  return { from, to: from + lengthMs }
}

/**
 * So many requests or credits in each period, whoever of several processes spends them. Exact in one process; what others
 * have spent is known a second later, so that together they may spend what they send in a second more.
 */
export class CountedBudget implements Budget {
  readonly unit: 'requests' | 'credits'
  #per: BudgetPeriod
  #amount: number
  #from = 0
  #to = 0
  /** What all processes are known to have spent. */
  #stored = 0
  /** What was spent here since that was written. */
  #unwritten = 0

  constructor({ requests, credits, per }: PeriodBudget) {
    this.unit = requests === undefined ? 'credits' : 'requests'
    this.#amount = requests ?? credits ?? 0
    this.#per = per
  }

  /** Goes on with another amount. Returns false for another unit or period, whose count is another one. */
  change({ requests, credits, per }: PeriodBudget): boolean {
    if (per !== this.#per || (requests === undefined) !== (this.unit === 'credits')) return false
    this.#amount = requests ?? credits ?? 0
    return true
  }

  #enter(now: number): void {
    if (now < this.#to && now >= this.#from) return
    const { from, to } = periodAt(this.#per, now)
    this.#from = from
    this.#to = to
    this.#stored = 0
    this.#unwritten = 0
  }

  waitMs(calls: number, credits: number, now: number): number {
    this.#enter(now)
    const cost = this.unit === 'requests' ? calls : credits
    return this.#stored + this.#unwritten + cost > this.#amount ? Math.ceil(this.#to - now) : 0
  }

  roomFor(credits: number, now: number): number {
    this.#enter(now)
    const left = Math.max(0, this.#amount - this.#stored - this.#unwritten)
    if (this.unit === 'requests') return left
    return credits === 0 ? Number.POSITIVE_INFINITY : Math.floor(left / credits)
  }

  spend(calls: number, credits: number, now: number): void {
    this.#enter(now)
    this.#unwritten += this.unit === 'requests' ? calls : credits
  }

  limited(): void {
    // What an operator has said is not changed by what a node says: its pause is another matter.
  }

  use(now: number): BudgetUse {
    this.#enter(now)
    const used = this.#stored + this.#unwritten
    return { unit: this.unit, used, amount: this.#amount, endsAt: this.#to }
  }

  /** Returns the beginning of the period and what is to be written of it. */
  unwritten(now: number): { readonly from: number; readonly units: number } {
    this.#enter(now)
    return { from: this.#from, units: this.#unwritten }
  }

  /** `units` of the period that begins at `from` were written, and all processes have spent `total` in it. */
  written(from: number, units: number, total: number): void {
    if (from !== this.#from) return
    this.#unwritten -= units
    this.#stored = total
  }
}

const learningMs = 10_000
const afterLimit = 0.9
const growth = 1.05
/** A window that was used by less than this says nothing about whether more would be let through. */
const usedShare = 0.8
/** A refusal that comes so soon after a window has begun is about what was sent in the one before. */
const soonMs = 1_000

/**
 * Learns how many calls an upstream takes in ten seconds: a refusal for a limit lowers that below what was sent in the
 * window, and each window that was used without one raises it.
 */
export class LearnedBudget implements Budget {
  #from = 0
  #sent = 0
  #sentBefore = 0
  #isLimited = false
  #amount: number | null = null

  #enter(now: number): void {
    const from = Math.floor(now / learningMs) * learningMs
    if (from === this.#from) return
    if (this.#amount !== null && !this.#isLimited && this.#sent >= this.#amount * usedShare)
      this.#amount = Math.ceil(this.#amount * growth)
    this.#sentBefore = from === this.#from + learningMs ? this.#sent : 0
    this.#from = from
    this.#sent = 0
    this.#isLimited = false
  }

  waitMs(_calls: number, _credits: number, now: number): number {
    this.#enter(now)
    return this.#amount !== null && this.#sent >= this.#amount ? Math.ceil(this.#from + learningMs - now) : 0
  }

  roomFor(credits: number, now: number): number {
    return this.waitMs(1, credits, now) === 0 ? Number.POSITIVE_INFINITY : 0
  }

  spend(calls: number, _credits: number, now: number): void {
    this.#enter(now)
    this.#sent += calls
  }

  /** Calls in flight at the same time are refused together. */
  limited(now: number): void {
    this.#enter(now)
    if (this.#isLimited) return
    this.#isLimited = true
    const sent = now - this.#from < soonMs ? Math.max(this.#sent, this.#sentBefore) : this.#sent
    this.#amount = Math.max(1, Math.floor(Math.min(sent, this.#amount ?? sent) * afterLimit))
  }

  use(now: number): BudgetUse {
    this.#enter(now)
    return { unit: 'requests', used: this.#sent, amount: this.#amount, endsAt: this.#from + learningMs }
  }
}
