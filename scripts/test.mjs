/** `npm test`: sets up what is missing, then runs all checks and tests, those that are named, or those that a change can break. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { affectedTests } from './lib/affected.mjs'
import { agentProgram, agentPrograms, installAgentProgram, notInstalled } from './lib/agentPrograms.mjs'
import { changedFiles } from './lib/changedFiles.mjs'
import { hasDisplay } from './lib/display.mjs'
import { electronRuntime } from './lib/electron.mjs'
import { LineWriter } from './lib/lineWriter.mjs'
import { fail, root, SetupError, say } from './lib/process.mjs'
import { busySeconds, endedChildrenSeconds } from './lib/processorTime.mjs'
import { ensureBuilt, ensureSetup } from './lib/setup.mjs'
import { stress } from './lib/stress.mjs'
import { provideParts } from './lib/systemPackages.mjs'
import { reportText } from './lib/testReport.mjs'
import { runNode, runTests } from './lib/testRun.mjs'
import { summarise } from './lib/testSummary.mjs'

const help = `npm test [-- STEP… --changed --since COMMIT --nothing-skipped --report FILE]
npm test -- --stress N FILE

Runs all steps, or the named ones: types, format, lint, unit, fuzz, integration, vice, e2e.
Tests run beside the checks; a check prints its output when it ends. A file of integration, vice or e2e that failed is
run once more at the end, alone. If it passes then, its failures are listed as flaky; more than two such files fail the run.

  --changed          Only what your uncommitted changes can break: checks of the changed files, all unit tests that
                     lead to them, and four of the other tests, the nearest.
  --since COMMIT     The same for everything changed since the branch left COMMIT, such as main.
  --nothing-skipped  A skipped test fails the run, and Gemini CLI is installed for the test that drives it; CI uses this.
  --report FILE      Write where the time went: per step, file and test the seconds, the processor time with that of all
                     programs started, the time without, and the starts of programs.
  --stress N FILE    Run one test file N times beside four busy loops, and say how often it passed.

To run one test file: npx vitest run --project unit FILE
`

/** Each ends with 0 when there is nothing to complain about. */
const checks = {
  types: { command: ['scripts/checkTypes.mjs'], onlyCode: true },
  format: {
    command: ['node_modules/oxfmt/bin/oxfmt', '--check', '--no-error-on-unmatched-pattern'],
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
  const { names, since, nothingSkipped, report, stressed } = readArguments()
  await ensureSetup({ build: false })
  if (stressed !== undefined) {
    await ensureBuilt()
    process.exitCode = await stress(stressed)
    return
  }
  const scope = since === undefined ? undefined : await scopeOf(since)
  const testing = names.filter((name) => Object.hasOwn(projects, name) && (!scope || hasTestsOf(name, scope.tests)))
  if (testing.length > 0) await ensureBuilt()
  const missing = await missingParts([...new Set(testing.flatMap((name) => projects[name]))])
  const unavailable = testing.includes('integration') ? await missingAgent('gemini', nothingSkipped) : undefined

  const lines = new LineWriter(process.stdout)
  const running = runTests({
    projects: testing,
    files: scope?.tests,
    missing: [...missing.keys()],
    lines,
    isMeasured: report !== undefined,
  })
  const checked = []
  for (const name of names.filter((name) => Object.hasOwn(checks, name)))
    checked.push(await runCheck(name, scope?.files, lines))
  const count = await running
  lines.end()
  const seconds = (Date.now() - started) / 1000
  if (report !== undefined) {
    const busy = busyBefore === undefined ? undefined : busySeconds() - busyBefore
    writeFileSync(report, `${reportText({ steps: checked, files: count.costs, seconds, busy })}\n`)
  }
  const results = [...checked, ...testing.map((name) => resultOf(name, count, missing)), ...errorsOf(count)]
  const { text, code } = summarise(results, {
    slowest: count.slowest,
    missing,
    nothingSkipped,
    seconds,
    ...(unavailable === undefined ? {} : { unavailable }),
  })
  process.stdout.write(text)
  process.exitCode = code
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        changed: { type: 'boolean', default: false },
        since: { type: 'string' },
        'nothing-skipped': { type: 'boolean', default: false },
        report: { type: 'string' },
        stress: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    })
    if (values.help) {
      process.stdout.write(help)
      process.exit(0)
    }
    if (values.stress !== undefined) return { stressed: stressOf(values.stress, positionals) }
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

function stressOf(times, [file, ...more]) {
  if (!/^[1-9]\d*$/.test(times) || file === undefined || more.length > 0)
    throw new Error('--stress takes a number of runs and one test file.')
  return { times: Number(times), file }
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

/** The real program of an agent is installed only where nothing may be skipped, as it is large. @returns why it is not there */
async function missingAgent(name, isInstalled) {
  const refusal = isInstalled ? await installAgentProgram(name) : undefined
  if (refusal !== undefined) say(`${agentPrograms[name].title}: ${refusal}`)
  return agentProgram(name) === undefined ? notInstalled(name) : undefined
}

async function findElectron() {
  try {
    return { runtime: await electronRuntime() }
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    return { refusal: error.message }
  }
}

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
    return { name, passed: 0, failed: [], skipped: [], flaky: [], seconds, cost, ...outcome }
  }
  if (wanted?.length === 0) return result({})
  let output = ''
  const args = takesFiles ? (wanted ?? ['.']) : []
  const code = await runNode([...command, ...args], (chunk) => (output += chunk))
  lines.print(`── ${name}: ${code === 0 ? 'passed' : 'failed'} ──\n${output}`)
  return result(code === 0 ? { passed: 1 } : { failed: [{ name: command[0], reason: `exit code ${code}` }] })
}

/** The sum of a project's files. */
function resultOf(name, { files }, missing) {
  const own = files.filter(({ project }) => project === name)
  const all = (kind) => own.flatMap((file) => file[kind] ?? [])
  const sum = (kind) => own.reduce((total, file) => total + file[kind], 0)
  const skipped = all('skipped').map((test) => withReason(test, projects[name], missing))
  return { name, passed: sum('passed'), failed: all('failed'), skipped, flaky: all('flaky'), seconds: sum('seconds') }
}

/** What failed outside the tests. */
const errorsOf = ({ errors }) =>
  errors.length === 0 ? [] : [{ name: 'vitest', passed: 0, failed: errors, skipped: [], flaky: [], seconds: 0 }]

function withReason({ name, reason }, needs, missing) {
  const reasons = needs.map((part) => missing.get(part)).filter((why) => why !== undefined)
  return { name, reason: reason ?? (reasons.join(' ') || 'no reason given') }
}

// Ends with an exit, so that the programs that were started end too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130))
await main().catch(fail)
