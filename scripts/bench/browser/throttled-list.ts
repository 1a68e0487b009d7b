import type { Page } from 'playwright-core'

import type { ConsoleUnderTest } from '../../world/console-under-test.ts'
import { watchPainting } from './paint-watch.ts'

/** How many times slower than this machine's the browser's processor is. */
export const cpuSlowdown = 4

/** A list of the console, and what is typed into its search. */
interface SearchedList {
  readonly path: string
  readonly heading: string
  /** The label of the field. */
  readonly search: string
  /** Narrows the list down in steps; it is widened again by taking it back. */
  readonly typed: string
}

/** In ms. Rows are visible once the frame with the first of them has been painted, a keystroke once that with its effect has. */
export interface ListTimes {
  readonly rowsVisibleMs: number
  readonly keystrokesMs: readonly number[]
}

/** Opens a list in a new profile with nothing cached, and types into its search. */
export async function openThrottled(
  { visit, operator }: ConsoleUnderTest,
  list: SearchedList,
): Promise<ListTimes> {
  const { page, context, open } = await visit(operator)
  const devTools = await context.newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  const nextPainted = await watchPainting(page)
  await open(list.path, list.heading)
  const rowsVisibleMs = await nextPainted()
  const keystrokesMs = await typeInto(page, list, nextPainted)
  await context.close()
  return { rowsVisibleMs, keystrokesMs }
}

async function typeInto(
  page: Page,
  { search, typed }: SearchedList,
  nextPainted: () => Promise<number>,
): Promise<readonly number[]> {
  await page.waitForLoadState('networkidle')
  await page.getByLabel(search).focus()
  const keys = [...typed].map((key) => (key === ' ' ? 'Space' : key))
  const measured: number[] = []
  for (const key of [...keys, ...keys.map(() => 'Backspace')]) {
    await page.keyboard.press(key)
    measured.push(await nextPainted())
  }
  return measured
}
