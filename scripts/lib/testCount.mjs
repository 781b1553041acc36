/**
 * A Vitest reporter that leaves what came out in the file BRIDGEDECK_TEST_COUNT: the counts of each file with each failure's reason
 * and each skipped test's note, errors outside the tests, the slowest tests, and what each file and test cost.
 */
import { writeFileSync } from 'node:fs'
import { costsOf } from './testReport.mjs'

/** Tests that a summary names. */
export const MAX_SLOWEST = 10

/** True where a suite or file around the test failed before it came to its tests. */
function couldNotStart({ parent }) {
  return parent.errors().length > 0 || (parent.type === 'suite' && couldNotStart(parent))
}

const firstLine = (errors) => String(errors[0]?.message ?? 'no reason given').split('\n', 1)[0]

const nameOf = (module, { fullName }) => [module.relativeModuleId, fullName].filter(Boolean).join(' > ')

const secondsOf = (test) => (test.diagnostic()?.duration ?? 0) / 1000

export default class TestCount {
  onTestRunEnd(modules, unhandledErrors) {
    const outcome = {
      files: modules.map(countOf),
      errors: unhandledErrors.map((error) => failureOf('an error outside the tests', [error])),
      slowest: slowestOf(modules),
      costs: costsOf(modules),
    }
    if (process.env.BRIDGEDECK_TEST_COUNT) writeFileSync(process.env.BRIDGEDECK_TEST_COUNT, JSON.stringify(outcome))
  }
}

const failureOf = (name, errors) => ({
  name,
  reason: firstLine(errors),
  text: errors.map(({ stack, message }) => String(stack ?? message)).join('\n'),
})

function countOf(module) {
  const { collectDuration, setupDuration, duration } = module.diagnostic()
  const count = {
    project: module.project.name,
    file: module.relativeModuleId,
    passed: 0,
    failed: [],
    skipped: [],
    seconds: (collectDuration + setupDuration + duration) / 1000,
  }
  for (const suite of [module, ...module.children.allSuites()])
    if (suite.errors().length > 0) count.failed.push(failureOf(nameOf(module, suite), suite.errors()))
  for (const test of module.children.allTests()) {
    const result = test.result()
    if (result.state === 'passed') count.passed += 1
    else if (result.state === 'failed') count.failed.push(failureOf(nameOf(module, test), result.errors))
    else
      count.skipped.push({
        name: test.fullName,
        reason: result.note ?? (couldNotStart(test) ? 'what stands around it failed' : undefined),
      })
  }
  return count
}

const slowestOf = (modules) =>
  modules
    .flatMap((module) =>
      [...module.children.allTests()].map((test) => ({
        file: module.relativeModuleId,
        name: test.fullName,
        seconds: secondsOf(test),
      })),
    )
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, MAX_SLOWEST)
