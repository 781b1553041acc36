/** `npm test`: sets up what is missing, then runs all checks and tests, those that are named, or those that a change can break. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { affectedTests } from './lib/affected.mjs'
import { changedFiles } from './lib/changedFiles.mjs'
import { hasDisplay } from './lib/display.mjs'
import { electronRuntime } from './lib/electron.mjs'
import { LineWriter } from './lib/lineWriter.mjs'
import { fail, root, SetupError } from './lib/process.mjs'
import { busySeconds, endedChildrenSeconds } from './lib/processorTime.mjs'
import { ensureBuilt, ensureSetup, node24 } from './lib/setup.mjs'
import { provideParts } from './lib/systemPackages.mjs'
import { reportText } from './lib/testReport.mjs'

const help = `npm test [-- STEP… --changed --since COMMIT --nothing-skipped]

Runs all steps, or the named ones: types, format, lint, unit, fuzz, integration, vice, e2e.
Tests run beside the checks; a check prints its output when it ends.

  --changed          Only what your uncommitted changes can break: checks of the changed files, all unit tests that
                     lead to them, and four of the other tests, the nearest.
  --since COMMIT     The same for everything changed since the branch left COMMIT, such as main.
  --nothing-skipped  A skipped test fails the run; CI uses this.
  --report FILE      Write where the time went: per step, file and test the seconds, the processor time with that of all
                     programs started, the time without, and the starts of programs.

To run one test file: npx vitest run --project unit FILE
`

/** Each ends with 0 when there is nothing to complain about. */
const checks = {
  types: { command: ['scripts/checkTypes.mjs'], onlyCode: true },
  format: {
    command: [
      ...['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '--ignore-unknown'],
      ...['--cache', '--cache-strategy=content', '--cache-location=node_modules/.cache/bridgedeck/prettier'],
    ],
    takesFiles: true,
  },
  lint: {
    command: ['node_modules/oxlint/bin/oxlint', '--no-error-on-unmatched-pattern'],
    takesFiles: true,
    onlyCode: true,
  },
}

/** Vitest's projects, with the parts of the system that their tests need. */
const projects = {
  unit: [],
  fuzz: [],
  integration: ['socat'],
  vice: ['vice', 'xvfb'],
  e2e: ['electron', 'xvfb', 'vice'],
}

const steps = [...Object.keys(checks), ...Object.keys(projects)]

async function main() {
  const started = Date.now()
  const busyBefore = busySeconds()
  const { names, since, nothingSkipped, report } = readArguments()
  await ensureSetup({ build: false })
  const scope = since === undefined ? undefined : await scopeOf(since)
  const testing = names.filter((name) => Object.hasOwn(projects, name) && (!scope || hasTestsOf(name, scope.tests)))
  if (testing.length > 0) await ensureBuilt()
  const missing = await missingParts([...new Set(testing.flatMap((name) => projects[name]))])

  const lines = new LineWriter(process.stdout)
  const running = runTests(testing, scope?.tests, missing, lines, report !== undefined)
  const results = []
  for (const name of names.filter((name) => Object.hasOwn(checks, name)))
    results.push(await runCheck(name, scope?.files, lines))
  const { results: testResults, slowest, costs } = await running
  lines.end()
  if (report !== undefined) {
    const seconds = (Date.now() - started) / 1000
    const busy = busyBefore === undefined ? undefined : busySeconds() - busyBefore
    writeFileSync(report, `${reportText({ steps: results, files: costs, seconds, busy })}\n`)
  }
  process.exitCode = summarise([...results, ...testResults], { slowest, missing, nothingSkipped, started })
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        changed: { type: 'boolean', default: false },
        since: { type: 'string' },
        'nothing-skipped': { type: 'boolean', default: false },
        report: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    })
    if (values.help) {
      process.stdout.write(help)
      process.exit(0)
    }
    const unknown = positionals.find((name) => !steps.includes(name))
    if (unknown !== undefined) throw new Error(`there is no step ${unknown}.`)
    return {
      names: positionals.length > 0 ? steps.filter((name) => positionals.includes(name)) : steps,
      since: values.since ?? (values.changed ? 'HEAD' : undefined),
      nothingSkipped: values['nothing-skipped'],
      report: values.report === undefined ? undefined : resolve(process.env.INIT_CWD ?? '.', values.report),
    }
  } catch (error) {
    throw new SetupError(`${error.message}\n\n${help}`)
  }
}

/** Provides what the tests need. @returns {Promise<Map<string, string>>} why what is missing is */
async function missingParts(needs) {
  const electron = needs.includes('electron') ? await findElectron() : undefined
  const missing = await provideParts(needs, electron?.runtime?.executable)
  if (electron?.refusal) missing.set('electron', electron.refusal)
  // A display of the person's own does as well, though the windows are in the way.
  if (hasDisplay()) missing.delete('xvfb')
  return missing
}

async function findElectron() {
  try {
    return { runtime: await electronRuntime() }
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    return { refusal: error.message }
  }
}

const countStarts = join(root, 'scripts/lib/countStarts.cjs')

/** What changed, and the tests that it can break. */
async function scopeOf(since) {
  const files = await changedFiles(since)
  const { tests, leftOut } = affectedTests(root, files)
  process.stdout.write(`${files.length} changed files, ${tests.length} test files nearest to them.\n`)
  if (leftOut.length > 0)
    process.stdout.write(`Left out: ${leftOut.length} test files that use them from farther away.\n`)
  return { files, tests }
}

/** Whether test files of a project are among these. */
const hasTestsOf = (project, files) =>
  files.some((file) => (project === 'unit' ? !file.startsWith('test/') : file.startsWith(`test/${project}/`)))

const isCode = (file) => /\.(ts|tsx|js|mjs|cjs)$/.test(file)

/** @param {string[] | undefined} files those that changed, or undefined for all */
async function runCheck(name, files, lines) {
  const { command, takesFiles = false, onlyCode = false } = checks[name]
  const wanted = onlyCode ? files?.filter(isCode) : files
  const started = Date.now()
  const processorBefore = endedChildrenSeconds()
  const result = (outcome) => {
    const seconds = (Date.now() - started) / 1000
    // Checks run one after another, and the tests beside them have not ended yet.
    const processor = endedChildrenSeconds() - processorBefore
    const cost = { seconds, processor, waited: Math.max(0, seconds - processor), starts: {} }
    return { name, passed: 0, failed: [], skipped: [], seconds, cost, ...outcome }
  }
  if (wanted?.length === 0) return result({})
  let output = ''
  const args = takesFiles ? (wanted ?? ['.']) : []
  const code = await runNode([...command, ...args], (chunk) => (output += chunk))
  lines.print(`── ${name}: ${code === 0 ? 'passed' : 'failed'} ──\n${output}`)
  return result(code === 0 ? { passed: 1 } : { failed: [{ name: command[0], reason: `exit code ${code}` }] })
}

/** @param {string[] | undefined} files test files, or undefined for all of the projects */
async function runTests(names, files, missing, lines, isMeasured) {
  if (names.length === 0) return { results: [], slowest: [], costs: [] }
  const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-test-'))
  const file = join(folder, 'count.json')
  try {
    const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/lib/testCount.mjs')}`]
    const wanted = [...names.map((name) => `--project=${name}`), ...(files ?? []).map((name) => join(root, name))]
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--passWithNoTests', ...reporters, ...wanted]
    const code = await runNode(args, (chunk) => lines.write(chunk), {
      BRIDGEDECK_NODE: node24,
      BRIDGEDECK_MISSING: [...missing.keys()].join(','),
      BRIDGEDECK_TEST_COUNT: file,
      ...(isMeasured ? { BRIDGEDECK_MEASURED: '1', NODE_OPTIONS: `--require ${countStarts}` } : {}),
    })
    return outcomeOf(names, existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined, code, missing)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @param count what the reporter left, or undefined where Vitest ended before it */
function outcomeOf(names, count, code, missing) {
  const results = names.map((name) => {
    const { passed = 0, failed = [], skipped = [], seconds = 0 } = count?.projects[name] ?? {}
    return { name, passed, failed, skipped: skipped.map((test) => withReason(test, projects[name], missing)), seconds }
  })
  const errors = count?.errors ?? []
  // Vitest also fails for what is no test's failure: a file that cannot be loaded, a crash.
  if (code !== 0 && errors.length === 0 && results.every(({ failed }) => failed.length === 0))
    errors.push({ name: 'vitest', reason: `exit code ${code}` })
  if (errors.length > 0) results.push({ name: 'vitest', passed: 0, failed: errors, skipped: [], seconds: 0 })
  return { results, slowest: count?.slowest ?? [], costs: count?.costs ?? [] }
}

function withReason({ name, reason }, needs, missing) {
  const reasons = needs.map((part) => missing.get(part)).filter((why) => why !== undefined)
  return { name, reason: reason ?? (reasons.join(' ') || 'no reason given') }
}

/** @param {string[]} args the script, relative to the project, and its arguments @returns {Promise<number>} its exit code */
function runNode(args, onOutput, environment = {}) {
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

/** Prints what came out; the last line is the sum alone. @returns {number} the exit code */
function summarise(results, { slowest, missing, nothingSkipped, started }) {
  const sum = { passed: 0, failed: 0, skipped: 0 }
  process.stdout.write('\n── summary ──\n')
  for (const { name, passed, failed, skipped, seconds } of results) {
    sum.passed += passed
    sum.failed += failed.length
    sum.skipped += skipped.length
    const counts = `${passed} passed, ${failed.length} failed, ${skipped.length} skipped`
    process.stdout.write(`${failed.length > 0 ? '✗' : '✓'} ${name.padEnd(12)} ${counts} (${seconds.toFixed(0)} s)\n`)
    for (const test of failed) process.stdout.write(`    failed: ${test.name} (${test.reason})\n`)
    for (const test of skipped) process.stdout.write(`    skipped: ${test.name} (${test.reason})\n`)
  }
  for (const [part, why] of missing) process.stdout.write(`missing: ${part}: ${why}\n`)
  if (slowest.length > 0) process.stdout.write('\nThe slowest tests:\n')
  for (const { file, name, seconds } of slowest)
    process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${file} > ${name}\n`)
  const skippedCounts = nothingSkipped && (sum.skipped > 0 || missing.size > 0)
  if (skippedCounts) process.stdout.write('Failed: this run must not skip anything.\n')
  process.stdout.write(`\nTook ${((Date.now() - started) / 1000).toFixed(0)} s.\n`)
  process.stdout.write(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped\n`)
  return sum.failed > 0 || skippedCounts ? 1 : 0
}

// Ends with an exit, so that the programs that were started end too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130))
await main().catch(fail)
