/** `npm test -- --stress N FILE`: how steady a test file is on a busy computer. */
import { spawn } from 'node:child_process'
import { LineWriter } from './lineWriter.mjs'
import { node24 } from './setup.mjs'
import { runTests } from './testRun.mjs'

const BUSY_LOOPS = 4

/** @param {{ times: number, file: string }} options `file`: relative to the root @returns {Promise<number>} the exit code */
export async function stress({ times, file }) {
  const project = /^test\/(\w+)\//.exec(file)?.[1] ?? 'unit'
  const loops = Array.from({ length: BUSY_LOOPS }, () => spawn(node24, ['-e', 'for (;;);'], { stdio: 'ignore' }))
  const end = () => loops.forEach((loop) => loop.kill('SIGKILL'))
  process.once('exit', end)
  const failures = []
  let passed = 0
  try {
    for (let run = 1; run <= times; run++) {
      let output = ''
      const lines = new LineWriter({ write: (text) => (output += text) })
      const { files, errors } = await runTests({ projects: [project], files: [file], missing: [], lines, once: true })
      const failed = [...errors, ...files.flatMap(({ failed }) => failed)]
      const passes = failed.length === 0 && files.some(({ passed }) => passed > 0)
      if (passes) passed += 1
      else failures.push(`── run ${run} ──\n${output}`)
      const names = failed.map(({ name }) => name).join(', ') || 'no test ran'
      process.stdout.write(`run ${run}: ${passes ? 'passed' : names}\n`)
    }
  } finally {
    end()
  }
  process.stdout.write(`${failures.join('\n')}\n${passed} of ${times} runs passed.\n`)
  return passed === times ? 0 : 1
}
