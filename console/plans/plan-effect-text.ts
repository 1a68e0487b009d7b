/** What saving a plan does to the accounts that have it. */
export function planEffectText(accounts: number): string {
  if (accounts === 0) return 'No account has it yet.'
  const [who, whose] =
    accounts === 1
      ? ['1 account has it', 'Its']
      : [`${new Intl.NumberFormat('en').format(accounts)} accounts have it`, 'Their']
  return `${who}. ${whose} keys are held to these limits as soon as they are saved, and none is deleted. Their number, endpoints, methods and age are looked at when a key is made or edited.`
}
