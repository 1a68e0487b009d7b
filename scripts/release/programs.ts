/** What people start. The server starts the last one itself, beside its own file. */
const programs = [
  'server/main.ts',
  'server/command-line/main.ts',
  'server/verifier/main.ts',
  'server/workers/worker.ts',
]

/**
 * Writes the programs with all packages that they use, at the paths of their sources. `define`: global names, with the
 * source text of their values.
 */
export async function bundlePrograms(folder: string, define: Record<string, string> = {}): Promise<void> {
  await Bun.build({
    entrypoints: programs,
    root: '.',
    outdir: folder,
    naming: { chunk: 'server/chunks/[name]-[hash].[ext]' },
    target: 'bun',
    splitting: true,
    // Names stay as they are, for the traces of errors.
    minify: { whitespace: true },
    define,
  })
}
