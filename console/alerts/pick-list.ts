/** One of many things that can be chosen. */
export interface PickOption {
  readonly value: string
  readonly label: string
}

/** The browser's list of choices is short: whoever seeks among more types a part of the name. */
const maxOffered = 50

const holds = ({ value, label }: PickOption, text: string): boolean =>
  label.toLowerCase().includes(text) || value.toLowerCase().includes(text)

/** What is offered for a text that is typed. */
export function foundOptions(
  options: readonly PickOption[],
  text: string,
  chosen: readonly string[],
): readonly PickOption[] {
  const wanted = text.trim().toLowerCase()
  return options
    .filter((option) => !chosen.includes(option.value) && holds(option, wanted))
    .slice(0, maxOffered)
}

/** What a whole text names: by its title, or by its id. */
export function optionOf(options: readonly PickOption[], text: string): PickOption | undefined {
  const wanted = text.trim().toLowerCase()
  return (
    options.find(({ label }) => label.toLowerCase() === wanted) ??
    options.find(({ value }) => value.toLowerCase() === wanted)
  )
}
