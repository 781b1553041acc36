/** What `npm test` takes here, quiet: alone, nothing else may run beside it. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Row } from './row'

const TARGET_S = 720

export default async function suite(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-suite-'))
  try {
    const report = join(folder, 'report.txt')
    const output = await run('--nothing-skipped', '--report', report)
    const [, seconds, busy] =
      /^Took (\d+) s\.(?: The processors worked (\d+) s\.)?/.exec(await readFile(report, 'utf8')) ?? []
    const [, passed, failed] = /(\d+) passed, (\d+) failed, \d+ skipped\n$/.exec(output) ?? []
    if (seconds === undefined || passed === undefined || failed === undefined) throw new Error('The suite did not end.')
    const flaky = output.match(/^ {4}flaky: /gm)?.length ?? 0
    return [
      {
        name: 'npm test, everything',
        value: Number(seconds),
        unit: 's',
        target: `${TARGET_S} s on two cores`,
        met: Number(seconds) < TARGET_S,
        note: `${passed} passed, ${failed} failed, ${flaky} flaky`,
      },
      ...(busy === undefined
        ? []
        : [{ name: 'processor time of the computer meanwhile', value: Number(busy), unit: 's' }]),
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Also where tests failed. */
const run = (...args: readonly string[]): Promise<string> =>
  new Promise((done) => {
    execFile(process.execPath, [resolve('scripts/test.mjs'), ...args], { maxBuffer: 1 << 30 }, (_, stdout) =>
      done(stdout),
    )
  })
