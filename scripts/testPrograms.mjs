/** `npm run testprograms -- FOLDER`: runs a folder of test programs in the built-in C64 and in x64sc. */
import { readdirSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startXvfb } from './lib/display.mjs'
import { fail, root, say, SetupError } from './lib/process.mjs'
import { ensureSetup } from './lib/setup.mjs'
import { provideParts } from './lib/systemPackages.mjs'

const help = `npm run testprograms -- FOLDER [TEXT… --seconds N --standard pal|ntsc --vic MODEL --cia MODEL --roms FOLDER --no-vice --json]

Runs each .prg file in FOLDER and below, or those with TEXT in their name, in the built-in C64 and in x64sc (with the same
chips and ROMs), and says how each ended: a write to $D7FF (0 passed, else failed), else the border (green passed, red
failed), else the words of Wolfgang Lorenz's suite. It counts the pixels in which the picture differs from x64sc's in the
same cycle, and the last one from references/NAME.prg.png where there is one. A table has the sums for each folder. Nothing of the programs is kept.

--seconds    the C64's time from power-on after which a program is ended; it starts after three seconds (60)
--standard   pal or ntsc (pal)
--vic        6569 or 8565, with NTSC 6567 or 8562 of the same kind (8565, as in x64sc)
--cia        6526 or 8521, in both (8521, as in x64sc)
--roms       a folder with kernal, basic and chargen images, instead of Bridgedeck's own
`

async function main() {
  const { folder, texts, seconds, chips, romFolder, vice, json } = readArguments()
  await ensureSetup()
  const withVice = vice && (await prepareVice())
  const roms = romFiles(romFolder ?? join(root, 'out', 'resources', 'c64'))
  const { runProgram, cyclesPerSecond } = await importRunner()
  const limit = Math.round(seconds * cyclesPerSecond[chips.standard])
  const options = { roms, limit, ...chips, vice: withVice }
  const results = []
  for (const file of programsIn(folder)) {
    const name = relative(folder, file)
    if (texts.length > 0 && !texts.some((text) => name.includes(text))) continue
    const result = { name, ...(await runProgram(file, options)) }
    results.push(result)
    if (!json) process.stdout.write(`${line(result)}\n`)
  }
  if (json) process.stdout.write(`${JSON.stringify({ schema: 'bridgedeck.testPrograms/2', results }, null, 2)}\n`)
  else process.stdout.write(summary(results))
  process.exit(results.every(asInVice) ? 0 : 1)
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        seconds: { type: 'string', default: '60' },
        standard: { type: 'string', default: 'pal' },
        vic: { type: 'string', default: '8565' },
        cia: { type: 'string', default: '8521' },
        roms: { type: 'string' },
        'no-vice': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    })
    if (values.help) {
      process.stdout.write(help)
      process.exit(0)
    }
    const [folder, ...texts] = positionals
    if (folder === undefined) throw new Error('say in which folder the programs are.')
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`${folder} is no folder.`)
    const seconds = Number(values.seconds)
    if (!(seconds > 0 && seconds <= 3600)) throw new Error('--seconds is a number up to 3600.')
    const { roms, json, standard, vic: vicModel, cia: ciaModel } = values
    if (!['pal', 'ntsc'].includes(standard)) throw new Error('--standard is pal or ntsc.')
    if (!['6569', '8565'].includes(vicModel)) throw new Error('--vic is 6569 or 8565.')
    if (!['6526', '8521'].includes(ciaModel)) throw new Error('--cia is 6526 or 8521.')
    return {
      folder: resolve(folder),
      texts,
      seconds,
      chips: { standard, vicModel, ciaModel },
      romFolder: roms && resolve(roms),
      vice: !values['no-vice'],
      json,
    }
  } catch (error) {
    throw new SetupError(`${error.message}\n\n${help}`)
  }
}

/** False, with the reason said, where x64sc cannot run. */
async function prepareVice() {
  const missing = await provideParts(['xvfb', 'vice'])
  for (const why of missing.values()) say(why)
  if (missing.has('vice') || (process.platform === 'linux' && missing.has('xvfb'))) return false
  if (process.platform === 'linux') Object.assign(process.env, (await startXvfb()).environment)
  return true
}

function romFiles(folder) {
  const names = readdirSync(folder)
  const find = (text) => {
    const name = names.find((name) => name.toLowerCase().startsWith(text) && !name.endsWith('.sym'))
    if (name === undefined) throw new SetupError(`There is no ${text} image in ${folder}.`)
    return join(folder, name)
  }
  return { kernal: find('kernal'), basic: find('basic'), character: find('char') }
}

const programsIn = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.toLowerCase().endsWith('.prg'))
    .sort(new Intl.Collator('en', { numeric: true }).compare)
    .map((name) => join(folder, name))

async function importRunner() {
  const { runnerImport } = await import('vite')
  const { module } = await runnerImport(join(root, 'test', 'programs', 'run.ts'), {
    configFile: false,
    root,
    logLevel: 'error',
    resolve: { alias: { '@shared': join(root, 'src-shared') } },
  })
  return module
}

const asInVice = ({ builtin, vice }) => builtin.verdict === (vice?.verdict ?? 'passed')

function line(result) {
  const { name, builtin, vice, differences } = result
  const mark = asInVice(result) ? '✓' : '✗'
  const said = builtin.text.at(-1) ?? ''
  return `${mark} ${name.padEnd(36)} ${builtin.verdict.padEnd(11)} ${(vice?.verdict ?? '-').padEnd(11)} ${String(builtin.cycles).padStart(10)} ${pixels(differences.vice)} ${pixels(differences.reference)}  ${said.trim()}`
}

const pixels = (count) => String(count ?? '-').padStart(6)

function summary(results) {
  const passed = results.filter(({ builtin }) => builtin.verdict === 'passed').length
  const expected = results.filter(({ vice }) => vice?.verdict === 'passed')
  const both = expected.filter(({ builtin }) => builtin.verdict === 'passed').length
  const share = (part, whole) => `${part} of ${whole}${whole === 0 ? '' : `, ${((100 * part) / whole).toFixed(1)} %`}`
  const beside = expected.length === 0 ? '' : `, and ${share(both, expected.length)} of those that pass in x64sc`
  return `${groupTable(results)}\nPassed in the built-in C64: ${share(passed, results.length)}${beside}.\n`
}

/** For each folder: programs, those that end as in x64sc, and those that show its picture and the reference. */
function groupTable(results) {
  const groups = Map.groupBy(results, ({ name }) => name.split(/[\\/]/).slice(0, -1)[0] ?? '.')
  const share = (list, test) => `${list.filter(test).length}/${list.length}`.padStart(11)
  const row = ([group, list]) => {
    const shown = (from) => list.filter(({ differences }) => differences[from] !== null)
    const same = (from) => share(shown(from), ({ differences }) => differences[from] === 0)
    return `${group.padEnd(24)} ${share(list, asInVice)} ${same('vice')} ${same('reference')}`
  }
  const header = `${'folder'.padEnd(24)} ${['ends as', 'picture', 'reference'].map((word) => word.padStart(11)).join(' ')}`
  return `\n${[header, ...[...groups].map(row), row(['all', results])].join('\n')}\n`
}

await main().catch(fail)
