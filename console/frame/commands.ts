import { BellRing, BookOpen, Cable, KeyRound, LogOut, Waypoints } from '@lucide/vue'
import type { Component } from 'vue'

import { consolePages } from '../../shared/console-pages.ts'
import { themes } from './theme.ts'
import type { Theme } from './theme.ts'

/** What a command can do. */
export interface Doing {
  goTo(path: string): void
  /** A page that is not the console's. */
  leaveTo(path: string): void
  setTheme(theme: Theme): void
  signOut(): void
}

/** Something that can be done from everywhere, by the palette. */
export interface Command {
  readonly id: string
  readonly title: string
  readonly icon: Component
  readonly keywords: readonly string[]
  readonly forOperators: boolean
  run(doing: Doing): void
}

const command = (
  id: string,
  title: string,
  icon: Component,
  { keywords, run }: Pick<Command, 'keywords' | 'run'>,
): Command => ({ id, title, icon, keywords, forOperators: false, run })

/** Each domain adds what it has to offer. */
export const commands: readonly Command[] = [
  command('create-query-key', 'Create a query key', Cable, {
    keywords: ['new', 'connect', 'add', 'rpc'],
    run: ({ goTo }) => goTo(`${consolePages.queryKeys}?create=1`),
  }),
  command('create-api-key', 'Create an API key', KeyRound, {
    keywords: ['new', 'token', 'add'],
    run: ({ goTo }) => goTo(`${consolePages.apiKeys}?create=1`),
  }),
  {
    ...command('create-endpoint', 'Create an endpoint', Waypoints, {
      keywords: ['new', 'upstream', 'add'],
      run: ({ goTo }) => goTo(`${consolePages.endpoints}?create=1`),
    }),
    forOperators: true,
  },
  {
    ...command('create-channel', 'Add an alert channel', BellRing, {
      keywords: ['new', 'slack', 'webhook', 'pagerduty', 'telegram', 'e-mail'],
      run: ({ goTo }) => goTo(`${consolePages.alerts}?create=channel`),
    }),
    forOperators: true,
  },
  ...themes.map(({ value, label, icon }) =>
    command(`theme-${value}`, label, icon, {
      keywords: ['colours', 'appearance', 'mode'],
      run: ({ setTheme }) => setTheme(value),
    }),
  ),
  command('reference', 'API reference', BookOpen, {
    keywords: ['documentation', 'help', 'openapi'],
    run: ({ leaveTo }) => leaveTo('/reference'),
  }),
  command('sign-out', 'Sign out', LogOut, {
    keywords: ['log out', 'leave', 'session'],
    run: ({ signOut }) => signOut(),
  }),
]
