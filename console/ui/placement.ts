/** In CSS pixels of the window, as `getBoundingClientRect` has them. */
export interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}
interface Size {
  readonly width: number
  readonly height: number
}
export type Alignment = 'start' | 'centre' | 'end'

/** Between a panel and what it belongs to. */
const gap = 6
/** Between a panel and the edges of the window. */
const margin = 8

/** Where a panel goes: below its anchor, above it where only there is room enough, and never outside the window. */
export function placeBeside(
  anchor: Box,
  panel: Size,
  view: Size,
  align: Alignment,
): { left: number; top: number } {
  const below = anchor.bottom + gap
  const above = anchor.top - gap - panel.height
  const fitsBelow = below + panel.height <= view.height - margin
  const top = fitsBelow || above < margin ? below : above
  return {
    left: clamp(alignedLeft(anchor, panel, align), margin, view.width - margin - panel.width),
    top: clamp(top, margin, view.height - margin - panel.height),
  }
}

function alignedLeft({ left, right }: Box, { width }: Size, align: Alignment): number {
  switch (align) {
    case 'start':
      return left
    case 'centre':
      return (left + right - width) / 2
    case 'end':
      return right - width
  }
}

/** For a panel that is larger than the window its beginning counts. */
const clamp = (value: number, from: number, to: number): number => Math.max(from, Math.min(value, to))
