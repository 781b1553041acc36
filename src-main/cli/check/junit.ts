import { reportText } from './reportText'
import { countOutcomes, type CaseResult, type Problem } from './results'

const xmlText = (text: string): string =>
  reportText(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Line ends and tabs would become spaces. */
const attribute = (text: string): string =>
  xmlText(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')

export function junitXml(results: readonly CaseResult[]): string {
  const suites = new Map<string, CaseResult[]>()
  for (const result of results) {
    const name = `${result.file} on ${result.machine}`
    suites.set(name, [...(suites.get(name) ?? []), result])
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="bridgedeck check" ${totals(results)}>`,
    ...[...suites].flatMap(([name, cases]) => [
      `  <testsuite name="${attribute(name)}" ${totals(cases)}>`,
      ...cases.flatMap((result) => caseXml(result)),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function totals(results: readonly CaseResult[]): string {
  const { failed, error, skipped, notRun } = countOutcomes(results)
  const time = results.reduce((sum, { seconds }) => sum + seconds, 0)
  return `tests="${results.length}" failures="${failed}" errors="${error}" skipped="${skipped + notRun}" time="${time.toFixed(3)}"`
}

function caseXml({ file, name, machine, outcome, reason, seconds, problems, screen }: CaseResult): string[] {
  const classname = `${file.replace(/\.ya?ml$/i, '').replaceAll('.', '_')}.${machine}`
  const begin = `    <testcase name="${attribute(name)}" classname="${attribute(classname)}" time="${seconds.toFixed(3)}"`
  if (outcome === 'passed') return [`${begin}/>`]
  const shown = screen === null ? [] : [`      <system-out>${xmlText(screenText(screen))}</system-out>`]
  return [
    `${begin}>`,
    ...(outcome === 'skipped' || outcome === 'notRun' ? [`      <skipped message="${attribute(reason)}"/>`] : []),
    // Many readers show only one element of a kind.
    ...problemXml('failed', problems),
    ...problemXml('error', problems),
    ...shown,
    '    </testcase>',
  ]
}

function problemXml(kind: Problem['kind'], problems: readonly Problem[]): string[] {
  const own = problems.filter((problem) => problem.kind === kind)
  const [first] = own
  if (!first) return []
  const element = kind === 'failed' ? 'failure' : 'error'
  const message = own.length === 1 ? first.message : `${first.message} And ${own.length - 1} more.`
  const type = kind === 'failed' ? first.where.replace(/^.*: /, '') : (first.code ?? 'INTERNAL')
  const text = own.map((problem) => problemText(problem)).join('\n\n')
  return [`      <${element} message="${attribute(message)}" type="${attribute(type)}">${xmlText(text)}</${element}>`]
}

const screenText = (rows: readonly string[]): string =>
  rows
    .map((row) => row.trimEnd())
    .join('\n')
    .trimEnd()

export function problemText({ where, message, expected, found }: Problem): string {
  const side = (title: string, text: string): string[] =>
    text === ''
      ? []
      : text.includes('\n')
        ? [`  ${title}:`, ...text.split('\n').map((line) => `    ${line}`)]
        : [`  ${title}: ${text}`]
  return [`${where}: ${message}`, ...side('expected', expected), ...side('found', found)].join('\n')
}
