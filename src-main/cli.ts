/** The command line's entry. */
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

void main().then((code) => {
  process.exitCode = code
})
