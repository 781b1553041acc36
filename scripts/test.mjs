/** `npm test`: sets up what is missing and runs every check, or those that are named. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { hasDisplay, startXvfb } from './lib/display.mjs'
import { electronRuntime } from './lib/electron.mjs'
import { fail, root, SetupError } from './lib/process.mjs'
import { ensureSetup, node24 } from './lib/setup.mjs'
import { provideParts } from './lib/systemPackages.mjs'

const help = `npm test [-- STEP… | --nothing-skipped]

Runs all steps, or the named ones: types, lint, unit, fuzz, integration, vice, e2e.
With --nothing-skipped a skipped test fails the run; CI uses it.
`

/** What each step runs, and the parts of the system that its tests need. */
const steps = {
  types: { command: ['../scripts/checkTypes.mjs'], needs: [] },
  lint: { command: ['eslint/bin/eslint.js', '.', '--max-warnings=0'], needs: [] },
  unit: { project: 'unit', needs: [] },
  fuzz: { project: 'fuzz', needs: [] },
  integration: { project: 'integration', needs: ['socat'] },
  vice: { project: 'vice', needs: ['vice', 'xvfb'] },
  e2e: { project: 'e2e', needs: ['electron', 'xvfb', 'vice'] },
}

async function main() {
  const { names, nothingSkipped } = readArguments()
  await ensureSetup({ build: names.some((name) => steps[name].project !== undefined) })
  const needs = [...new Set(names.flatMap((name) => steps[name].needs))]
  const electron = needs.includes('electron') ? await findElectron() : undefined
  const missing = await provideParts(needs, electron?.runtime?.executable)
  if (electron?.refusal) missing.set('electron', electron.refusal)
  const xvfb =
    needs.includes('xvfb') && process.platform === 'linux' && !missing.has('xvfb') ? await startXvfb() : undefined
  // A display of the person's own does as well, though the windows are in the way.
  if (hasDisplay()) missing.delete('xvfb')
  const environment = {
    ...process.env,
    ...xvfb?.environment,
    BRIDGEDECK_NODE: node24,
    BRIDGEDECK_MISSING: [...missing.keys()].join(','),
  }

  const results = []
  for (const name of names) results.push({ name, ...(await runStep(name, environment, missing)) })
  xvfb?.stop()
  process.exitCode = summarise(results, missing, nothingSkipped)
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: { 'nothing-skipped': { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
    if (values.help) {
      process.stdout.write(help)
      process.exit(0)
    }
    const unknown = positionals.find((name) => !Object.hasOwn(steps, name))
    if (unknown !== undefined) throw new Error(`there is no step ${unknown}.`)
    return {
      names: positionals.length > 0 ? positionals : Object.keys(steps),
      nothingSkipped: values['nothing-skipped'],
    }
  } catch (error) {
    throw new SetupError(`${error.message}\n\n${help}`)
  }
}

async function findElectron() {
  try {
    return { runtime: await electronRuntime() }
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    return { refusal: error.message }
  }
}

/** @returns {Promise<{ passed: number, failed: { name: string, reason: string }[], skipped: { name: string, reason: string }[], seconds: number }>} */
async function runStep(name, environment, missing) {
  const { command, project, needs } = steps[name]
  process.stdout.write(`\n── ${name} ──\n`)
  const started = Date.now()
  const outcome = project ? await runTests(project, environment) : await runCheck(command, environment)
  const skipped = outcome.skipped.map((test) => ({
    name: test.name,
    reason:
      test.reason ??
      (needs
        .map((part) => missing.get(part))
        .filter(Boolean)
        .join(' ') ||
        'no reason given'),
  }))
  return { ...outcome, skipped, seconds: (Date.now() - started) / 1000 }
}

async function runCheck(command, environment) {
  const code = await runNode(command, environment)
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? [] : [exitOf(command, code)], skipped: [] }
}

async function runTests(project, environment) {
  const folder = mkdtempSync(join(tmpdir(), 'bridgedeck-test-'))
  const file = join(folder, 'count.json')
  try {
    const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts/lib/testCount.mjs')}`]
    const code = await runNode(['vitest/vitest.mjs', 'run', '--project', project, ...reporters], {
      ...environment,
      BRIDGEDECK_TEST_COUNT: file,
    })
    const count = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { passed: 0, failed: [], skipped: [] }
    // Vitest also fails for what is no test's failure: no test found, a file that cannot be loaded, a crash.
    return code !== 0 && count.failed.length === 0 ? { ...count, failed: [exitOf(['vitest'], code)] } : count
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const exitOf = ([command], code) => ({ name: command, reason: `it ended with exit code ${code}` })

function runNode([script, ...args], env) {
  return new Promise((done, reject) => {
    const child = spawn(node24, [join(root, 'node_modules', script), ...args], {
      cwd: root,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    child.on('error', reject)
    child.on('exit', (code) => done(code ?? 1))
  })
}

/** Prints what came out; the last line is the sum alone. @returns {number} the exit code */
function summarise(results, missing, nothingSkipped) {
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
  const skippedCounts = nothingSkipped && (sum.skipped > 0 || missing.size > 0)
  if (skippedCounts) process.stdout.write('This run was to skip nothing: it fails.\n')
  process.stdout.write(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped\n`)
  return sum.failed > 0 || skippedCounts ? 1 : 0
}

// Ends with an exit, so that the virtual display goes too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130))
await main().catch(fail)
