/**
 * Measures every arm once in a round, round after round, so that all of them get their share of the machine's moods.
 * Gives the measurements of each arm in the order of the rounds.
 */
export async function measureInTurns<Name extends string, Measured>(
  rounds: number,
  arms: Readonly<Record<Name, () => Promise<Measured>>>,
): Promise<Record<Name, Measured[]>> {
  const names = Object.keys(arms) as Name[]
  const measured = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Measured[]>
  for (let round = 0; round < rounds; round++) {
    for (const name of names) measured[name].push(await arms[name]())
  }
  return measured
}
