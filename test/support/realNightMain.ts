/** `npm run test:agents -- --night MINUTES`: runs a night with the real programs, and writes what came of it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runRealNight } from './realNight'

const { values } = parseArgs({
  options: { minutes: { type: 'string' }, seed: { type: 'string' }, result: { type: 'string' } },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const interrupted = new AbortController()
const log = (line: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    log(`${signal}: sums up`)
    interrupted.abort()
  })
log(`seed ${seed}`)
const result = await runRealNight({ time: Number(values.minutes) * 60_000, seed, signal: interrupted.signal, log })

const unexplained = result.differences.filter(({ explanation }) => explanation === null)
for (const { run, what, explanation } of result.differences)
  log(
    `${explanation === null ? 'UNEXPLAINED' : 'explained'} ${run ?? ''} ${what}${explanation === null ? '' : `: ${explanation}`}`,
  )
if (values.result !== undefined) {
  const file = resolve(values.result)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`)
}
const { differences, ...figures } = result
log(JSON.stringify({ ...figures, differences: differences.length, unexplained: unexplained.length }, null, 2))
process.exit(unexplained.length + result.damage.length === 0 ? 0 : 1)
