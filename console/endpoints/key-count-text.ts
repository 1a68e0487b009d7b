/** Whether query keys stand in the way of removing their endpoint, and what to do about it. */
export function keyCountText(count: number): string {
  if (count === 0) return 'No query key uses it.'
  const keys =
    count === 1 ? '1 query key uses' : `${new Intl.NumberFormat('en').format(count)} query keys use`
  const way = count === 1 ? 'its owner must delete it first' : 'their owners must delete them first'
  return `${keys} it, so it cannot be removed yet: ${way}.`
}
