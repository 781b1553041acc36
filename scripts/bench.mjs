/** `npm run bench`: measures, and prints each figure beside its bare counterpart or target from the same run. */
import { availableParallelism, loadavg } from 'node:os'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { startXvfb } from './lib/display.mjs'
import { electronRuntime } from './lib/electron.mjs'
import { fail, root, say, SetupError } from './lib/process.mjs'
import { ensureSetup } from './lib/setup.mjs'
import { provideParts } from './lib/systemPackages.mjs'

const folder = join(root, 'test', 'bench')
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && !['row.ts', 'share.ts'].includes(file))
  .map((file) => file.slice(0, -'.ts'.length))

const help = `npm run bench [-- NAME… --json --minutes N --kills N --turns N]

Measures everything, or: ${names.join(', ')}.
--minutes is how long agents run, layout shifts are counted in each workspace (1), and a night begins further projects (no limit).
--kills is how often the bridge is killed (60), and hosts, agents and machines in a night (once in 2.5 turns). --turns is how many turns a
night has at least (1000).
`

async function main() {
  const { wanted, json, minutes, kills, turns } = readArguments()
  await ensureSetup()
  const { executable } = await electronRuntime()
  const missing = await provideParts(['electron', 'xvfb', 'vice'], executable)
  for (const why of missing.values()) say(why)
  if (process.platform === 'linux' && !missing.has('xvfb')) {
    const { environment } = await startXvfb()
    Object.assign(process.env, environment)
  }

  const calibration = calibrate()
  if (!json) {
    const { node, cores, load, loop, copy } = calibration
    process.stdout.write(
      `calibration: ${loop.toFixed(0)} M loops/s, ${copy.toFixed(1)} GB/s copied, ${cores} cores with a load of ${load.toFixed(1)}, Node ${node}\n`,
    )
  }
  const benches = []
  for (const name of wanted) {
    const result = await runBench(name, { minutes, kills, turns })
    benches.push({ name, ...result })
    if (!json) print(name, result)
  }
  if (json) process.stdout.write(`${JSON.stringify({ schema: 'bridgedeck.bench/1', calibration, benches }, null, 2)}\n`)
  // What a bench left open must not keep this run.
  process.exit(benches.some(({ error }) => error !== undefined) ? 1 : 0)
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        json: { type: 'boolean', default: false },
        minutes: { type: 'string' },
        kills: { type: 'string' },
        turns: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    })
    if (values.help) {
      process.stdout.write(help)
      process.exit(0)
    }
    const unknown = positionals.find((name) => !names.includes(name))
    if (unknown !== undefined) throw new Error(`there is no bench ${unknown}.`)
    const minutes = values.minutes === undefined ? undefined : Number(values.minutes)
    if (minutes !== undefined && !(minutes > 0 && minutes <= 60)) throw new Error('--minutes is a number up to 60.')
    const kills = count(values, 'kills', 'times')
    const turns = count(values, 'turns', 'turns')
    return { minutes, kills, turns, wanted: positionals.length > 0 ? positionals : names, json: values.json }
  } catch (error) {
    throw new SetupError(`${error.message}\n\n${help}`)
  }
}

function count(values, name, of) {
  const value = values[name] === undefined ? undefined : Number(values[name])
  if (value === undefined || (Number.isSafeInteger(value) && value > 0)) return value
  throw new Error(`--${name} is a number of ${of}.`)
}

/** What this machine does at this moment, to read the other figures by. `loop` in millions/s, `copy` in GB/s. */
function calibrate() {
  const rounds = 100_000_000
  let started = performance.now()
  let state = 1
  for (let i = 0; i < rounds; i++) state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
  const loop = rounds / 1000 / (performance.now() - started + (state === 0 ? 1 : 0))
  const image = new Uint8Array(0x10000).fill(1)
  const copyTo = new Uint8Array(0x10000)
  const copies = 50_000
  started = performance.now()
  for (let i = 0; i < copies; i++) copyTo.set(image)
  const copy = (copies * image.length) / 1e6 / (performance.now() - started)
  return { node: process.versions.node, cores: availableParallelism(), load: loadavg()[0], loop, copy }
}

/** @returns {Promise<{ rows: import('../test/bench/row').Row[], error?: string }>} */
async function runBench(name, options) {
  say(`measuring ${name}…`)
  try {
    const module = await import(pathToFileURL(await bundle(name)).href)
    return { rows: await module.default(options) }
  } catch (error) {
    return { rows: [], error: error.stack ?? String(error) }
  }
}

/**
 * As one file, as the app is shipped: a module that a development server transforms reads what it imports by a call each
 * time, which made some loops seven times as slow.
 */
async function bundle(name) {
  const { build } = await import('vite')
  const outDir = join(root, 'out', 'bench')
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    publicDir: false,
    resolve: { alias: { '@shared': join(root, 'src-shared') } },
    plugins: [ownPaths],
    build: {
      ssr: join(folder, `${name}.ts`),
      target: 'node20',
      outDir,
      emptyOutDir: false,
      minify: false,
      rollupOptions: { output: { entryFileNames: '[name].mjs', codeSplitting: false } },
    },
  })
  return join(outDir, `${name}.mjs`)
}

/** Modules that were bundled find their files where they were. */
const ownPaths = {
  name: 'own-paths',
  transform: (code, path) =>
    code
      .replaceAll('import.meta.dirname', () => JSON.stringify(dirname(path)))
      .replaceAll('import.meta.filename', () => JSON.stringify(path)),
}

function print(name, { rows, error }) {
  process.stdout.write(`\n${name}\n`)
  for (const { name: what, value, unit, bare, target, met, note } of rows) {
    const mark = met === undefined ? ' ' : met ? '✓' : '✗'
    const details = [
      bare === undefined ? '' : `bare ${figure(bare)} ${unit}`,
      target ? `target ${target}` : '',
      note ?? '',
    ]
    process.stdout.write(
      `  ${mark} ${what.padEnd(46)} ${`${figure(value)} ${unit}`.padEnd(16)} ${details.filter(Boolean).join('; ')}\n`,
    )
  }
  if (error !== undefined) process.stdout.write(`  ✗ could not be measured: ${error}\n`)
}

const figure = (value) =>
  Math.abs(value) >= 100 ? value.toFixed(0) : Math.abs(value) >= 10 ? value.toFixed(2) : value.toFixed(3)

await main().catch(fail)
