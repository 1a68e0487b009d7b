import { BellRing, Mail, MessageSquare, Send, Siren, Webhook } from '@lucide/vue'
import type { Component } from 'vue'

import type { ChannelType, ChannelView } from '../../shared/alert-channels.ts'
import type { DeliveryState, DeliveryView } from '../../shared/deliveries.ts'
import type { Tone } from '../ui/tone.ts'

interface TypeWords {
  readonly title: string
  readonly icon: Component
  /** Where one gets what the form asks for. */
  readonly how: string
}

export const channelTypeWords: Readonly<Record<ChannelType, TypeWords>> = {
  slack: {
    title: 'Slack, Mattermost or Discord',
    icon: MessageSquare,
    how: 'Make an incoming webhook there and paste its address. Discord: add /slack at the end of its address.',
  },
  email: {
    title: 'E-mail',
    icon: Mail,
    how: 'Messages go out through your mail server (SMTP).',
  },
  telegram: {
    title: 'Telegram',
    icon: Send,
    how: '@BotFather gives you a bot and its token. Add the bot to the chat that shall get the messages.',
  },
  pagerduty: {
    title: 'PagerDuty',
    icon: Siren,
    how: 'In PagerDuty add the integration “Events API v2” to a service, and copy its integration key. Incidents are resolved when the alert is over.',
  },
  webhook: {
    title: 'Signed webhook',
    icon: Webhook,
    how: 'For programs of your own: JSON by POST, signed by the Standard Webhooks specification.',
  },
  alertmanager: {
    title: 'Alertmanager',
    icon: BellRing,
    how: 'Prometheus’ Alertmanager, which passes alerts on to everything that it knows.',
  },
}

export const channelTypeChoices: readonly { readonly value: ChannelType; readonly label: string }[] = (
  ['slack', 'email', 'telegram', 'pagerduty', 'webhook', 'alertmanager'] as const
).map((value) => ({ value, label: channelTypeWords[value].title }))

const counts = new Intl.NumberFormat('en')

/** How a channel stands: what was given up comes first, then what waits. */
export function channelStateText({ sent, waiting, dead }: Pick<ChannelView, 'sent' | 'waiting' | 'dead'>): {
  readonly tone: Tone
  readonly text: string
} {
  if (dead > 0) return { tone: 'bad', text: `${counts.format(dead)} given up` }
  if (waiting > 0) return { tone: 'warn', text: `${counts.format(waiting)} waiting` }
  return { tone: 'plain', text: sent === 0 ? 'nothing sent yet' : `${counts.format(sent)} sent` }
}

export const deliveryStateTitles: Readonly<Record<DeliveryState, string>> = {
  gathering: 'Gathering what follows',
  waiting: 'Waiting',
  sent: 'Sent',
  dead: 'Given up',
}

/** What became of a delivery, in a few words. */
export function deliveryAnswerText({
  state,
  answer,
  attempts,
}: Pick<DeliveryView, 'state' | 'answer' | 'attempts'>): { readonly tone: Tone; readonly text: string } {
  switch (state) {
    case 'gathering':
      return { tone: 'info', text: 'gathering what follows' }
    case 'sent':
      return {
        tone: 'ok',
        text: attempts > 1 ? `${answer ?? 'sent'}, after ${attempts} attempts` : (answer ?? 'sent'),
      }
    case 'dead':
      return { tone: 'bad', text: `${answer ?? 'no answer'}, given up` }
    case 'waiting':
      return answer === null ? { tone: 'info', text: 'waits to be sent' } : { tone: 'warn', text: answer }
  }
}

/** How long a message was under way: `0.4 s`, `38 s`, `12 min`, `3 h`. */
export function tookWords(ms: number): string {
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`
  if (ms < 120_000) return `${Math.round(ms / 1_000)} s`
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`
}
