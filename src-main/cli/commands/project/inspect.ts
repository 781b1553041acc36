import { printFinding, sortFindings } from '../../../formats/finding'
import { progressOf } from '../../../formats/progress'
import type { RunMeter } from '@shared/contract/orchestration'
import { inspectProject, type FoundRun } from '../../../projects/read/inspectProject'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { toned } from '../../printed'
import { loadRemembered } from '../../remembered'
import { factText, oneLine, placeOf } from '../../runText'
import { severityTones } from '../../stateTones'
import { projectFolder, projectGroup as group } from './group'

export const projectInspect = defineCommand({
  group,
  name: 'inspect',
  summary: 'Find the runs in a folder and show their state.',
  positionals: { folder: projectFolder },
  data: {
    folder: 'absolute path',
    runs: '[{ view, findings, marker, … }]',
    findings: '[{ file, line, column, rule, severity, found, expected, … }]',
  },
  examples: ['project inspect resources/sample-project'],
  run: async ({ output, signal }, { folder }) => {
    const project = await inspectProject(folder, loadRemembered, signal)
    const findings = sortFindings([...project.findings, ...project.runs.flatMap((run) => run.findings)])
    output.result(project, [
      project.runs.map(describe).join('\n\n') || 'No run of a supported format.',
      ...(findings.length === 0 ? [] : ['\nFindings']),
      ...findings.map((finding) => toned(severityTones[finding.severity], `  ${printFinding(finding)}`)),
    ])
    return EXIT_OK
  },
})

function describe({ view, marker }: FoundRun): string {
  const { state } = view
  const claim = state.written === undefined || state.written === state.value ? '' : ` (written: ${state.written})`
  const updated = view.updatedAt.value === null ? 'unknown' : new Date(view.updatedAt.value).toISOString()
  return [
    `${view.system}  ${factText(view.title)}`,
    `  found by  ${marker}${view.archived ? ' (archived)' : ''}`,
    `  state     ${factText(state)}${claim}${view.reason.value === null ? '' : `: ${factText(view.reason)}`}`,
    `  phase     ${factText(view.currentPhase)}`,
    `  phases    ${progress(view.phases)}`,
    `  tasks     ${progress(view.phases.flatMap((phase) => phase.tasks))}`,
    ...view.meters.map((meter) => `  meter     ${meterText(meter)}`),
    ...view.needs.map((need) => `  needs     ${need.kind}: ${oneLine(need.title)} (${placeOf(need.source)})`),
    `  updated   ${updated}`,
  ].join('\n')
}

function progress(work: Parameters<typeof progressOf>[0]): string {
  const { done, total } = progressOf(work)
  return total === 0 ? 'none' : `${done} of ${total} done`
}

const meterText = ({ name, unit, used, limit }: RunMeter): string =>
  `${name}: ${factText(used)} of ${factText(limit)} ${unit}`
