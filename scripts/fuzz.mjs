/**
 * `npm run fuzz`: tries every reader of foreign bytes, and the built-in C64 beside x64sc, with a hundred thousand inputs
 * for each claim.
 */
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { hasDisplay } from './lib/display.mjs'
import { fail, root, SetupError } from './lib/process.mjs'
import { ensureSetup, node24 } from './lib/setup.mjs'
import { provideParts } from './lib/systemPackages.mjs'

const folder = join(root, 'test', 'fuzz')
const ending = '.test.ts'
/** Compare the built-in C64 with x64sc, which they need. */
const oracles = [
  ['cpu', 'test/vice/builtinCpu.test.ts'],
  ['cia', 'test/vice/builtinCia.test.ts'],
  ['vic', 'test/vice/builtinVic.test.ts'],
]
const files = new Map([
  ...readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => [file.slice(0, -ending.length), join(folder, file)]),
  ...oracles.map(([name, file]) => [name, join(root, file)]),
])
const names = [...files.keys()]

const help = `npm run fuzz [-- NAME… --cases NUMBER --seed NUMBER]

Tries everything, or: ${names.join(', ')}.
--cases: how many inputs for each claim (100000). --seed: a number that an earlier run printed, for the same inputs.
`

async function main() {
  const { wanted, cases, seed } = readArguments()
  await ensureSetup()
  const missing = await missingParts(wanted)
  process.stdout.write(`${cases} cases for each claim, seed ${seed}\n`)
  const code = await runVitest(
    [
      'run',
      '--project',
      'fuzz',
      '--project',
      'vice',
      `--reporter=${join(root, 'scripts/lib/fuzzReport.mjs')}`,
      ...wanted.map((name) => files.get(name)),
    ],
    {
      BRIDGEDECK_MISSING: missing.join(','),
      BRIDGEDECK_FUZZ_CASES: String(cases),
      BRIDGEDECK_FUZZ_SEED: String(seed),
    },
  )
  if (code !== 0)
    process.stdout.write(`Something does not hold: npm run fuzz -- --cases ${cases} --seed ${seed} shows it again.\n`)
  process.exitCode = code
}

/** @returns {Promise<string[]>} what the oracle needs and is not there: its claims are skipped */
async function missingParts(wanted) {
  if (!oracles.some(([name]) => wanted.includes(name))) return []
  const missing = await provideParts(['vice', 'xvfb'])
  if (hasDisplay()) missing.delete('xvfb')
  for (const [part, why] of missing) process.stdout.write(`missing: ${part}: ${why}\n`)
  return [...missing.keys()]
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        cases: { type: 'string', default: '100000' },
        seed: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    })
    if (values.help) {
      process.stdout.write(help)
      process.exit(0)
    }
    const unknown = positionals.find((name) => !names.includes(name))
    if (unknown !== undefined) throw new Error(`there is no fuzz test ${unknown}.`)
    const cases = Number(values.cases)
    if (!Number.isSafeInteger(cases) || cases < 1) throw new Error(`${values.cases} is no number of cases.`)
    // 32 bits with a sign, as the generator takes them.
    const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
    if ((seed | 0) !== seed) throw new Error(`${values.seed} is no seed.`)
    return { wanted: positionals.length > 0 ? positionals : names, cases, seed }
  } catch (error) {
    throw new SetupError(`${error.message}\n\n${help}`)
  }
}

function runVitest(args, environment) {
  return new Promise((done, reject) => {
    const script = join(root, 'node_modules', 'vitest', 'vitest.mjs')
    const child = spawn(node24, [script, ...args], {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    child.on('error', reject)
    child.on('exit', (code) => done(code ?? 1))
  })
}

await main().catch(fail)
