/** The names under which a program reaches its own machine, as `URL.hostname` writes them. */
export const loopbackNames: readonly string[] = ['127.0.0.1', 'localhost', '[::1]']

/** Whether a host, as `URL.hostname` writes it, is the machine that asks for it. */
export const isLoopbackHost = (hostname: string): boolean =>
  loopbackNames.includes(hostname) || hostname.startsWith('127.')
