import type { Plugin } from 'vite'

const icon = /\/@lucide\/vue\/dist\/esm\/icons\//
const component = /\.vue(?:$|\?vue&type=script)/

/** Names of components, and keys and other names of icons, which only tools of developers read. */
const names = {
  ofComponent: /\b__name:\s*(["'])\w+\1,/,
  ofIcon: /,\s*(?:key: "\w+"|aliases: \[[^\]]*\])/g,
}

/** Leaves out names that nothing in the console uses: compressed, those of icons weigh as much as what is drawn. */
export function leanNames(): Plugin {
  return {
    name: 'lean-names',
    apply: 'build',
    enforce: 'post', // when components are compiled
    transform(code, id) {
      const lean = icon.test(id)
        ? code.replace(names.ofIcon, '')
        : component.test(id)
          ? code.replace(names.ofComponent, '')
          : code
      return lean === code ? null : { code: lean, map: null }
    },
  }
}
