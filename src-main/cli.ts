import { once } from 'node:events'
import { useCompileCache } from './files/compileCache'

async function main(): Promise<number> {
  useCompileCache()
  const { interruption, runCommandLine } = await import('./cli/runCommandLine')
  return runCommandLine(process.argv.slice(2), {
    programs: import.meta.dirname,
    // npm runs scripts in the project's folder and keeps the caller's in INIT_CWD.
    folder: process.env.INIT_CWD ?? process.cwd(),
    environment: process.env,
    streams: process,
    signal: interruption().signal,
  })
}

/** ms after the last output; what takes longer is not waited for. */
const END_MS = 2_000

void main().then(async (code) => {
  process.exitCode = code
  for (const stream of [process.stdout, process.stderr])
    if (stream.writableNeedDrain) await once(stream, 'drain').catch(() => undefined)
  setTimeout(() => process.exit(), END_MS).unref()
})
