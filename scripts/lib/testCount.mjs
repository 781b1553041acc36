/** A Vitest reporter that leaves the counts, and each skipped test with its note, in the file BRIDGEDECK_TEST_COUNT. */
import { writeFileSync } from 'node:fs'

/** True where a suite or file around the test failed before it came to its tests. */
function couldNotStart({ parent }) {
  return parent.errors().length > 0 || (parent.type === 'suite' && couldNotStart(parent))
}

export default class TestCount {
  onTestRunEnd(modules, unhandledErrors) {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: [] }
    for (const module of modules) {
      const suites = [module, ...module.children.allSuites()]
      count.failed += suites.filter((suite) => suite.errors().length > 0).length
      for (const test of module.children.allTests()) {
        const result = test.result()
        if (result.state === 'passed') count.passed += 1
        else if (result.state === 'failed') count.failed += 1
        else count.skipped.push({ name: test.fullName, reason: result.note ?? (couldNotStart(test) ? 'what stands around it failed' : undefined) })
      }
    }
    if (process.env.BRIDGEDECK_TEST_COUNT) writeFileSync(process.env.BRIDGEDECK_TEST_COUNT, JSON.stringify(count))
  }
}
