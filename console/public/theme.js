// Before anything is drawn: the theme that was chosen, or that of the system. `frame/theme.ts` writes it.
;(() => {
  let chosen = 'auto'
  try {
    chosen = localStorage.getItem('vueuse-color-scheme') ?? 'auto'
  } catch {
    // No storage here: the theme of the system it is.
  }
  const isDark =
    chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', isDark)
})()
