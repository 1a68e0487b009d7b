import { describe, expect, test } from 'bun:test'

const css = await Bun.file(new URL('theme.css', import.meta.url)).text()

/** The colours of a block such as `:root { … }`. */
function coloursOf(selector: string): Map<string, string> {
  const [, block = ''] = new RegExp(`\n *\\${selector} {([^}]*)}`).exec(css) ?? []
  return new Map(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]),
  )
}

/** Relative luminance, WCAG 2.2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((place) => {
    const channel = Number.parseInt(colour.slice(place, place + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((left, right) => left - right)
  return (lighter + 0.05) / (darker + 0.05)
}

const texts = [
  ...['ink', 'muted', 'primary', 'ok', 'warn', 'bad', 'info'].flatMap((name) => [
    [name, 'surface'],
    [name, 'raised'],
    [name, 'canvas'],
  ]),
  ...['ok', 'warn', 'bad', 'info'].flatMap((name) => [
    [name, `${name}-soft`],
    ['ink', `${name}-soft`],
  ]),
  ['on-primary', 'primary'],
  ['primary', 'line'],
  ['ink', 'line'],
  ['on-bad', 'bad'],
] as [string, string][]

const shapes = [
  ...['edge', 'primary', 'series-1', 'series-2', 'series-3', 'series-4', 'series-5'].map((name) => [
    name,
    'surface',
  ]),
  ['edge', 'raised'],
] as [string, string][]

describe.each([':root', '.dark'])('in %s', (selector) => {
  const colours = coloursOf(selector)
  const contrastOf = (one: string, other: string): number =>
    contrast(colours.get(one) ?? '#000000', colours.get(other) ?? '#000000')

  test.each(texts)('text in %s can be read on %s', (foreground, background) => {
    expect(contrastOf(foreground, background)).toBeGreaterThanOrEqual(4.5)
  })

  test.each(shapes)('shapes in %s can be seen on %s', (foreground, background) => {
    expect(contrastOf(foreground, background)).toBeGreaterThanOrEqual(3)
  })
})

test('both themes have the same colours', () => {
  expect([...coloursOf('.dark').keys()]).toEqual([...coloursOf(':root').keys()])
})
