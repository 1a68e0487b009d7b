import type { Page } from 'playwright-core'

import type { TestWallet } from '../../scripts/world/test-wallet.ts'

/** A browser extension with one wallet. */
export interface InjectedWallet {
  /** What it does with the next requests: signs, or answers with this code of EIP-1193. */
  answerWith(answer: 'sign' | { readonly code: number }): void
  /** The wallet that is chosen in it. */
  choose(wallet: TestWallet): void
  /** Methods it was asked for, in order. */
  readonly asked: readonly string[]
}

interface Looks {
  readonly name?: string
  readonly icon?: string
}

const orangeSquare =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAxMCAxMCI+PHJlY3Qgd2lkdGg9IjEwIiBoZWlnaHQ9IjEwIiBmaWxsPSIjZTI3NjFiIi8+PC9zdmc+'

/** Announces a wallet on every page that is opened from now on, as an extension does (EIP-6963). */
export async function injectWallet(
  page: Page,
  wallet: TestWallet,
  { name = 'Fox Wallet', icon = orangeSquare }: Looks = {},
): Promise<InjectedWallet> {
  let chosen = wallet
  let answer: Parameters<InjectedWallet['answerWith']>[0] = 'sign'
  const asked: string[] = []

  function reply(method: string, params: readonly unknown[]) {
    asked.push(method)
    if (method === 'eth_chainId') return { result: '0x1' }
    if (answer !== 'sign') return { code: answer.code }
    if (method === 'eth_requestAccounts') return { result: [chosen.address] }
    const message = Buffer.from(String(params[0]).slice(2), 'hex').toString()
    return { result: chosen.sign(message) }
  }

  const ask = `askWallet${name.replace(/\W/g, '')}`
  await page.exposeFunction(ask, reply)
  await page.addInitScript(announceWallet, { ask, name, icon })
  return {
    asked,
    answerWith: (next) => {
      answer = next
    },
    choose: (next) => {
      chosen = next
    },
  }
}

/** Runs in the page. */
function announceWallet({ ask, name, icon }: { ask: string; name: string; icon: string }): void {
  const provider = {
    async request({ method, params = [] }: { method: string; params?: unknown[] }) {
      const reply = await (window as unknown as Record<string, (...args: unknown[]) => Promise<Reply>>)[
        ask
      ]?.(method, params)
      if (reply === undefined || 'code' in reply) throw Object.assign(new Error('refused'), reply)
      return reply.result
    },
  }
  type Reply = { result: unknown } | { code: number }
  const detail = Object.freeze({ info: { uuid: name, name, icon, rdns: 'org.example' }, provider })
  const announce = (): boolean => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  addEventListener('eip6963:requestProvider', announce)
  announce()
}
