/** Meaning of a colour. It is never the only sign: an icon or a word always says the same. */
export type Tone = 'plain' | 'ok' | 'warn' | 'bad' | 'info'

/** Text and soft background of a tone. */
export const toneClasses: Readonly<Record<Tone, string>> = {
  plain: 'bg-raised text-ink',
  ok: 'bg-ok-soft text-ok',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
}
