/** A Vitest reporter that leaves the counts, each failure with its reason and each skipped test with its note, in the file BRIDGEDECK_TEST_COUNT. */
import { writeFileSync } from 'node:fs'

/** True where a suite or file around the test failed before it came to its tests. */
function couldNotStart({ parent }) {
  return parent.errors().length > 0 || (parent.type === 'suite' && couldNotStart(parent))
}

const firstLine = (errors) => String(errors[0]?.message ?? 'no reason given').split('\n', 1)[0]

const nameOf = (module, { fullName }) => [module.relativeModuleId, fullName].filter(Boolean).join(' > ')

export default class TestCount {
  onTestRunEnd(modules, unhandledErrors) {
    const count = {
      passed: 0,
      failed: unhandledErrors.map((error) => ({ name: 'an error outside the tests', reason: firstLine([error]) })),
      skipped: [],
    }
    for (const module of modules) {
      const suites = [module, ...module.children.allSuites()]
      for (const suite of suites) {
        if (suite.errors().length > 0)
          count.failed.push({ name: nameOf(module, suite), reason: firstLine(suite.errors()) })
      }
      for (const test of module.children.allTests()) {
        const result = test.result()
        if (result.state === 'passed') count.passed += 1
        else if (result.state === 'failed')
          count.failed.push({ name: nameOf(module, test), reason: firstLine(result.errors) })
        else
          count.skipped.push({
            name: test.fullName,
            reason: result.note ?? (couldNotStart(test) ? 'what stands around it failed' : undefined),
          })
      }
    }
    if (process.env.BRIDGEDECK_TEST_COUNT) writeFileSync(process.env.BRIDGEDECK_TEST_COUNT, JSON.stringify(count))
  }
}
