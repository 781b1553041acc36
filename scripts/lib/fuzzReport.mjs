const marks = { passed: '✓', failed: '✗', skipped: '-' }

/** A Vitest reporter: one line for each claim as soon as it is tried, and in full what does not hold. */
export default class FuzzReport {
  onTestCaseResult(test) {
    const { state, errors } = test.result()
    const { fuzz } = test.meta()
    const seconds = ((test.diagnostic()?.duration ?? 0) / 1000).toFixed(1)
    const slowest = fuzz?.slowest === undefined ? '' : `, the slowest ${fuzz.slowest.toFixed(1)} ms`
    const counted = fuzz ? `${fuzz.cases} cases in ${seconds} s${slowest}` : `${seconds} s`
    process.stdout.write(`  ${marks[state] ?? state} ${test.fullName}: ${counted}\n`)
    for (const error of errors ?? []) process.stdout.write(`${describe(error)}\n`)
  }

  onTestRunEnd(modules, unhandledErrors) {
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()])
    for (const error of [...suites.flatMap((suite) => suite.errors()), ...unhandledErrors])
      process.stdout.write(`✗ ${describe(error)}\n`)
    const results = modules.flatMap((module) => [...module.children.allTests()]).map((test) => test.result().state)
    const passed = results.filter((state) => state === 'passed').length
    const skipped = results.filter((state) => state === 'skipped').length
    const notRun = skipped === 0 ? '' : `, ${skipped} skipped`
    process.stdout.write(`${passed} claims hold, ${results.length - passed - skipped} do not${notRun}\n`)
  }
}

/** fast-check tells the value that breaks a claim, and the check's own error as its cause. */
const describe = ({ message, stack, cause }) =>
  [stack ?? message, ...(cause ? [`because: ${cause.stack ?? cause.message}`] : [])].join('\n')
