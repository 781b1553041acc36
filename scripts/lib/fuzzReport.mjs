/** A Vitest reporter: one line for each claim as soon as it is tried, and in full what does not hold. */
export default class FuzzReport {
  onTestCaseResult(test) {
    const { state, errors } = test.result()
    const { fuzz } = test.meta()
    const seconds = ((test.diagnostic()?.duration ?? 0) / 1000).toFixed(1)
    const counted = fuzz
      ? `${fuzz.cases} cases in ${seconds} s, the slowest ${fuzz.slowest.toFixed(1)} ms`
      : `${seconds} s`
    process.stdout.write(`  ${state === 'passed' ? '✓' : '✗'} ${test.fullName}: ${counted}\n`)
    for (const error of errors ?? []) process.stdout.write(`${describe(error)}\n`)
  }

  onTestRunEnd(modules, unhandledErrors) {
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()])
    for (const error of [...suites.flatMap((suite) => suite.errors()), ...unhandledErrors])
      process.stdout.write(`✗ ${describe(error)}\n`)
    const results = modules.flatMap((module) => [...module.children.allTests()]).map((test) => test.result().state)
    const passed = results.filter((state) => state === 'passed').length
    process.stdout.write(`${passed} claims hold, ${results.length - passed} do not\n`)
  }
}

/** fast-check tells the value that breaks a claim, and the check's own error as its cause. */
const describe = ({ message, stack, cause }) =>
  [stack ?? message, ...(cause ? [`because: ${cause.stack ?? cause.message}`] : [])].join('\n')
