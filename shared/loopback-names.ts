/** The names under which a program reaches its own machine, as `URL.hostname` writes them. */
export const loopbackNames: readonly string[] = ['127.0.0.1', 'localhost', '[::1]']
