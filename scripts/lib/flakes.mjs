/** Test files that failed are run once more, alone: a failure that does not come again is called flaky, and told. */

/** Their tests wait for other programs; the tests of other steps have no excuse. */
const flakySteps = ['integration', 'vice', 'e2e']

/** More files with flaky tests in one run are no bad luck. */
export const MAX_FLAKES = 2

/**
 * @param {{ files: object[], errors: object[] }} count of a run
 * @returns {object[]} the files to run again; none where more failed than may be flaky, or something else did
 */
export function filesToRunAgain({ files, errors }) {
  const failed = files.filter(({ failed }) => failed.length > 0)
  const mayBeFlaky = failed.every(({ project }) => flakySteps.includes(project))
  return errors.length === 0 && mayBeFlaky && failed.length <= MAX_FLAKES ? failed : []
}

/**
 * @param {{ files: object[], errors: object[] }} first
 * @param {{ files: object[], errors: object[] }} second of the files that were run again
 * @returns {object} the first count with what the second run says of its files. A file that passed then has `flaky`: its failures
 *   of the first run, which may all have one cause.
 */
export function withSecondRun(first, second) {
  const files = first.files.map((before) => {
    const after = second.files.find(({ project, file }) => project === before.project && file === before.file)
    if (after === undefined) return before
    const passes = after.failed.length === 0 && after.passed > 0 && second.errors.length === 0
    const flaky = before.failed.map((failure) => ({ ...failure, file: before.file }))
    return passes ? { ...after, flaky } : { ...after, failed: [...before.failed, ...after.failed] }
  })
  return { ...first, files, errors: [...first.errors, ...second.errors] }
}

/** @param {string} again what the second run printed @returns {string} each flaky test with both outputs */
export function describeFlakes({ files }, again) {
  const flakes = files.flatMap(({ flaky = [] }) => flaky)
  if (flakes.length === 0) return ''
  return [
    ...flakes.flatMap(({ name, text }) => [`flaky: ${name}`, '── the first time ──', text]),
    '── the second time, alone ──',
    again,
  ].join('\n')
}
