import type { Plugin } from 'vite'

/** What nothing in the console uses and bundlers keep all the same, by the modules that have it. */
const superfluous: readonly (readonly [module: RegExp, code: RegExp])[] = [
  // Keys and other names of icons, which only tools of developers read: compressed, they weigh as much as what is drawn.
  [/\/@lucide\/vue\/dist\/esm\/icons\//, /,\s*(?:key: "\w+"|aliases: \[[^\]]*\])/g],
  // Names of components.
  [/\.vue(?:$|\?vue&type=script)/, /\b__name:\s*(["'])\w+\1,/],
  // The class for WebSocket links, for the sake of its counter.
  [/\/@trpc\/client\/dist\/wsLink/, /^_defineProperty\(WsConnection, "connectCount", 0\);$/m],
]

export function leanModules(): Plugin {
  return {
    name: 'lean-modules',
    apply: 'build',
    enforce: 'post', // when components are compiled
    transform(code, id) {
      const found = superfluous.find(([module]) => module.test(id))
      const lean = found === undefined ? code : code.replace(found[1], '')
      return lean === code ? null : { code: lean, map: null }
    },
  }
}
