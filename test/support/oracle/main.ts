/** node --import ./test/support/typescript.mjs test/support/oracle/main.ts KIND CASES SEED [SHOWN] */
import { createBuiltin } from './builtin'
import { compareAll, describeDifference, shrink } from './compare'
import { ciaCase, serialCase } from './ciaCases'
import { cpuCase, interruptCase, stolenCase, stolenInterruptCase } from './cpuCases'
import { ioCase } from './ioCases'
import { buildImage } from './image'
import type { Case } from './program'
import { ciaSweep, interruptSweep, stolenSweep } from './sweeps'
import { randomTemplate } from './template'
import { startOracle } from './vice'

const random = {
  cpu: cpuCase,
  interrupts: interruptCase,
  stolen: stolenCase,
  stolenInterrupts: stolenInterruptCase,
  cia: ciaCase,
  serial: serialCase,
  io: ioCase,
}
const sweeps = { interruptSweep, stolenSweep, ciaSweep }

const [kind = 'cpu', count = '1000', seedText = '1', shown = '10', model = '8521'] = process.argv.slice(2)
const ciaModel = model === '6526' ? '6526' : '8521'
const seed = Number(seedText)
const template = randomTemplate(seed)
const began = performance.now()
const cases = casesOf(kind)
const made = performance.now()
const vice = await startOracle(ciaModel)
const twin = process.env.ORACLE_TWIN === undefined ? undefined : await startOracle(ciaModel)
try {
  // The raster stands elsewhere than in the other one.
  await twin?.run(buildImage([cpuCase(1, 1, template)], template).ram)
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

function casesOf(name: string): Case[] {
  for (const [known, make] of Object.entries(random))
    if (known === name) return Array.from({ length: Number(count) }, (_, index) => make(seed, index, template))
  for (const [known, make] of Object.entries(sweeps)) if (known === name) return make(template).slice(0, Number(count))
  throw new Error(`Kinds: ${Object.keys({ ...random, ...sweeps }).join(', ')}.`)
}
