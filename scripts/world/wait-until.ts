/** Asks again and again until the condition holds. Throws when it does not within the time given. */
export async function waitUntil(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 10_000,
): Promise<void> {
  const deadlineAt = performance.now() + withinMs
  while (!(await condition())) {
    if (performance.now() > deadlineAt) throw new Error(`waited ${withinMs} ms in vain: ${what}`)
    await Bun.sleep(5)
  }
}
