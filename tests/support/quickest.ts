/** How long work takes when nothing else is in its way: the shortest of a few tries, in ms. */
export function quickestMs(work: () => unknown, tries = 5): number {
  const times = Array.from({ length: tries }, () => {
    const startedAt = performance.now()
    work()
    return performance.now() - startedAt
  })
  return Math.min(...times)
}
