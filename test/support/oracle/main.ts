/** node --import ./test/support/typescript.mjs test/support/oracle/main.ts KIND CASES SEED [SHOWN] */
import { createBuiltin } from './builtin'
import { compareAll, describeDifference, shrink } from './compare'
import { cpuCase, interruptCase, stolenCase } from './cpuCases'
import { randomTemplate } from './template'
import { startOracle } from './vice'

const kinds: Record<string, typeof cpuCase> = { cpu: cpuCase, interrupts: interruptCase, stolen: stolenCase }

const [kind = 'cpu', count = '1000', seedText = '1', shown = '10', model = '8521'] = process.argv.slice(2)
const make = kinds[kind]
if (!make) throw new Error(`Kinds: ${Object.keys(kinds).join(', ')}.`)
const ciaModel = model === '6526' ? '6526' : '8521'
const seed = Number(seedText)
const template = randomTemplate(seed)
const began = performance.now()
const cases = Array.from({ length: Number(count) }, (_, index) => make(seed, index, template))
const made = performance.now()
const vice = await startOracle(ciaModel)
const twin = process.env.ORACLE_TWIN === undefined ? undefined : await startOracle(ciaModel)
try {
  const machines = { vice, builtin: twin ?? createBuiltin(ciaModel) }
  const started = performance.now()
  const differences = await compareAll(machines, cases, template)
  const ended = performance.now()
  for (const difference of differences.slice(0, Number(shown)))
    process.stdout.write(`${describeDifference(await shrink(machines, difference, template))}\n\n`)
  const seconds = (from: number, to: number): string => ((to - from) / 1000).toFixed(1)
  process.stdout.write(
    `${differences.length} of ${cases.length} differ; made in ${seconds(began, made)} s, x64sc up in ${seconds(made, started)} s, run in ${seconds(started, ended)} s\n`,
  )
} finally {
  await vice.stop()
  await twin?.stop()
}
