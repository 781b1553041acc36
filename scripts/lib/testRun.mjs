/** Runs Vitest's projects, and the files that failed once more. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeFlakes, filesToRunAgain, withSecondRun } from './flakes.mjs'
import { LineWriter } from './lineWriter.mjs'
import { cacheFolder, root } from './process.mjs'
import { node24 } from './setup.mjs'
import { MAX_SLOWEST } from './testCount.mjs'

const countStarts = join(root, 'scripts/lib/countStarts.cjs')
const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/lib/testCount.mjs')}`]

/** An open window computes all the time: more of them than this take the processors from each other. */
const MAX_WINDOWS = Math.max(2, Math.floor(availableParallelism() / 2))

const nothing = { files: [], errors: [], slowest: [], costs: [] }

/**
 * @param {{ projects: string[], files?: string[], missing: string[], lines: import('./lineWriter.mjs').LineWriter, isMeasured?: boolean, once?: boolean }} run
 *   `files`: relative to the root, all of the projects where not given; `missing`: parts of the system that are not there;
 *   `once`: files that failed are not run again
 * @returns what testCount.mjs left, `flaky` failures told apart
 */
export async function runTests({ projects, files, missing, lines, isMeasured = false, once = false }) {
  if (projects.length === 0) return nothing
  const environment = {
    BRIDGEDECK_MISSING: missing.join(','),
    ...(isMeasured ? { BRIDGEDECK_MEASURED: '1', NODE_OPTIONS: `--require ${countStarts}` } : {}),
  }
  const paths = (files ?? []).map((file) => join(root, file))
  const counts = []
  for (const step of stepsOf(projects)) {
    const output = new LineWriter({ write: (text) => lines.print(text) })
    const run = runVitest([...step, ...paths], environment, (chunk) => output.write(chunk))
    counts.push(await run.finally(() => output.end()))
  }
  const first = together(counts)
  const again = once ? [] : filesToRunAgain(first)
  if (again.length === 0) return first
  lines.print(`\n── once more, alone: ${again.map(({ file }) => file).join(', ')} ──`)
  let output = ''
  const alone = again.flatMap(({ project, file }) => [`--project=${project}`, join(root, file)])
  const second = await runVitest(
    ['--no-file-parallelism', ...new Set(alone)],
    environment,
    (chunk) => (output += chunk),
  )
  const count = withSecondRun(first, second)
  lines.print(describeFlakes(count, output) || output)
  return count
}

/**
 * Runs of Vitest, one after the other: it has one number of workers for all projects of a run. Either keeps two processors busy;
 * beside each other the windows would stay open longer, and compute all that time.
 * @returns {string[][]} the arguments of each
 */
function stepsOf(projects) {
  const of = (names) => names.map((name) => `--project=${name}`)
  const [windows, others] = [projects.filter((name) => name === 'e2e'), projects.filter((name) => name !== 'e2e')]
  return [
    ...(others.length > 0 ? [of(others)] : []),
    ...(windows.length > 0 ? [[...of(windows), `--maxWorkers=${MAX_WINDOWS}`]] : []),
  ]
}

/** One count of several runs. */
const together = (counts) => ({
  files: counts.flatMap(({ files }) => files),
  errors: counts.flatMap(({ errors }) => errors),
  slowest: counts
    .flatMap(({ slowest }) => slowest)
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, MAX_SLOWEST),
  costs: counts.flatMap(({ costs }) => costs),
})

/** Also of an end before the tests, which is an error of the count. */
async function runVitest(args, environment, onOutput) {
  const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-test-'))
  const file = join(folder, 'count.json')
  try {
    const code = await runNode(
      ['node_modules/vitest/vitest.mjs', 'run', '--passWithNoTests', ...reporters, ...args],
      onOutput,
      {
        BRIDGEDECK_NODE: node24,
        BRIDGEDECK_TEST_COUNT: file,
        NODE_COMPILE_CACHE: join(cacheFolder, 'compiled'),
        ...environment,
      },
    )
    const count = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : nothing
    const isTold = count.errors.length > 0 || count.files.some(({ failed }) => failed.length > 0)
    const reason = `exit code ${code}`
    return code === 0 || isTold ? count : { ...count, errors: [{ name: 'vitest', reason, text: reason }] }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @param {string[]} args the script, relative to the project, and its arguments @returns {Promise<number>} its exit code */
export function runNode(args, onOutput, environment = {}) {
  const color = process.stdout.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: '1' } : {}
  return new Promise((done, reject) => {
    const child = spawn(node24, args, {
      cwd: root,
      env: { ...process.env, ...color, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const kill = () => void child.kill()
    process.once('exit', kill)
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', onOutput)
    child.on('error', reject)
    child.on('close', (code) => {
      process.off('exit', kill)
      done(code ?? 1)
    })
  })
}
