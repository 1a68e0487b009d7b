import { afterEach } from 'bun:test'
import { GlobalRegistrator } from '@happy-dom/global-registrator'
import { compileScript, parse } from '@vue/compiler-sfc'
import { plugin } from 'bun'

/*
 * Preloaded for the console's component tests: a document, and Vue files as modules. It replaces globals such as
 * `fetch`, so these tests run in a process of their own.
 */

GlobalRegistrator.register({ url: 'http://localhost/' })

plugin({
  name: 'vue files',
  setup(build) {
    build.onLoad({ filter: /\.vue$/ }, async ({ path }) => ({
      contents: compile(await Bun.file(path).text(), path),
      loader: 'ts',
    }))
  },
})

function compile(source: string, path: string): string {
  const { descriptor, errors } = parse(source, { filename: path })
  if (errors[0] !== undefined) throw errors[0]
  const id = Bun.hash(path).toString(36)
  const { content } = compileScript(descriptor, { id, inlineTemplate: true, genDefaultAs: 'component' })
  return `${content}\ncomponent.__file = ${JSON.stringify(path)}\nexport default component`
}

// Only now: Vue looks for a document when it is loaded.
const { config, enableAutoUnmount } = await import('@vue/test-utils')
enableAutoUnmount(afterEach)
// As the app does; a test that looks at messages provides its own.
const { createToasts, toastsKey } = await import('../ui/toasts.ts')
config.global.provide = { [toastsKey]: createToasts() }
afterEach(() => document.body.replaceChildren())
