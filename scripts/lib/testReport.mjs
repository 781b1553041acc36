/** The report of `npm test -- --report FILE`: where the time of a run went, per step, file and test. */

const MAX_TESTS = 100
const SMALLEST_TEST_SECONDS = 0.1

const none = { seconds: 0, processor: 0, waited: 0, starts: {} }

/** The costs of a run's files and tests, as test/support/measured.ts noted them. */
export const costsOf = (modules) =>
  modules.map((module) => ({
    project: module.project.name,
    file: module.relativeModuleId,
    cost: module.meta().cost ?? none,
    tests: [...module.children.allTests()]
      .map((test) => ({ name: test.fullName, cost: test.meta().cost ?? none }))
      .filter(({ cost }) => cost.seconds >= SMALLEST_TEST_SECONDS || Object.keys(cost.starts).length > 0),
  }))

/**
 * @param run steps with their costs, the costs of files, wall time and processor time of the whole run in seconds
 * @returns {string} tables in plain text, the most expensive first
 */
export function reportText({ steps, files, seconds, busy }) {
  const sums = Map.groupBy(files, ({ project }) => project)
  const projects = [...sums].map(([name, of]) => ({ name, cost: of.map(({ cost }) => cost).reduce(add, none) }))
  const tests = files.flatMap(({ file, tests }) => tests.map(({ name, cost }) => ({ name: `${file} > ${name}`, cost })))
  return [
    `Took ${seconds.toFixed(0)} s.${busy === undefined ? '' : ` The processors worked ${busy.toFixed(0)} s.`}`,
    table('Steps', [...steps, ...projects]),
    table('Files', files.map(({ file, cost }) => ({ name: file, cost })).sort(dearest)),
    table(`The ${MAX_TESTS} tests that use a processor longest`, tests.sort(dearest).slice(0, MAX_TESTS)),
    table(
      `The ${MAX_TESTS} tests that wait longest`,
      tests.sort((a, b) => b.cost.waited - a.cost.waited).slice(0, MAX_TESTS),
    ),
  ].join('\n\n')
}

const dearest = (a, b) => b.cost.processor - a.cost.processor

function add(a, b) {
  const starts = { ...a.starts }
  for (const [kind, count] of Object.entries(b.starts)) starts[kind] = (starts[kind] ?? 0) + count
  const [seconds, processor, waited] = ['seconds', 'processor', 'waited'].map((name) => a[name] + b[name])
  return { seconds, processor, waited, starts }
}

const table = (title, rows) =>
  [
    `${title}: seconds, seconds of a processor, seconds that used none, programs started`,
    ...rows.map(
      ({ name, cost }) =>
        `${[cost.seconds, cost.processor, cost.waited].map((value) => value.toFixed(1).padStart(8)).join('')}  ${name}${startsText(cost.starts)}`,
    ),
  ].join('\n')

const startsText = (starts) => {
  const counts = Object.entries(starts).sort(([, a], [, b]) => b - a)
  return counts.length === 0 ? '' : `  (${counts.map(([kind, count]) => `${count} ${kind}`).join(', ')})`
}
