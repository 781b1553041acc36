/** The end of `npm test`: what passed, failed, was skipped and was flaky; the last line is the sum alone. */
import { MAX_FLAKES } from './flakes.mjs'

/**
 * @param {{ name: string, passed: number, failed: object[], skipped: object[], flaky: object[], seconds: number }[]} results of the steps
 * @param {{ unavailable?: string }} options `unavailable` is why a program of others is not here, and no registry gives it: tests that
 *   are skipped for this reason are listed, and fail no run
 * @returns {{ text: string, code: number }} what to print, and the exit code
 */
export function summarise(results, { slowest, missing, nothingSkipped, seconds, unavailable }) {
  const count = (kind) => results.reduce((sum, result) => sum + result[kind].length, 0)
  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  const [failed, skipped] = ['failed', 'skipped'].map(count)
  const isExcused = ({ reason }) => unavailable !== undefined && reason === unavailable
  const isSkipped = nothingSkipped && (missing.size > 0 || results.some((result) => !result.skipped.every(isExcused)))
  const flakyFiles = new Set(results.flatMap(({ flaky }) => flaky.map(({ file }) => file))).size
  const isUnsteady = flakyFiles > MAX_FLAKES
  const lines = [
    '',
    '── summary ──',
    ...results.flatMap(describeStep),
    ...[...missing].map(([part, why]) => `missing: ${part}: ${why}`),
    ...(slowest.length > 0 ? ['', 'The slowest tests:'] : []),
    ...slowest.map(({ file, name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file} > ${name}`),
    ...(isSkipped ? ['Failed: this run must not skip anything.'] : []),
    ...(isUnsteady ? [`Failed: ${flakyFiles} files had flaky tests; at most ${MAX_FLAKES} are let pass.`] : []),
    '',
    `Took ${seconds.toFixed(0)} s.`,
    `${passed} passed, ${failed} failed, ${skipped} skipped`,
  ]
  return { text: `${lines.join('\n')}\n`, code: failed > 0 || isSkipped || isUnsteady ? 1 : 0 }
}

function describeStep({ name, passed, failed, skipped, flaky, seconds }) {
  const counts = `${passed} passed, ${failed.length} failed, ${skipped.length} skipped`
  const unsteady = flaky.length === 0 ? '' : `, ${flaky.length} flaky`
  return [
    `${failed.length > 0 ? '✗' : '✓'} ${name.padEnd(12)} ${counts}${unsteady} (${seconds.toFixed(0)} s)`,
    ...failed.map((test) => `    failed: ${test.name} (${test.reason})`),
    ...flaky.map((test) => `    flaky: ${test.name} (${test.reason})`),
    ...skipped.map((test) => `    skipped: ${test.name} (${test.reason})`),
  ]
}
