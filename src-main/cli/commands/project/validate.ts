import type { Severity } from '@shared/contract/orchestration'
import { printFinding, type Finding } from '../../../formats/finding'
import { validateProject } from '../../../projects/read/inspectProject'
import { defineCommand } from '../../command'
import { EXIT_FAILED, EXIT_OK } from '../../exitCodes'
import { toned } from '../../printed'
import { loadRemembered } from '../../remembered'
import { counted } from '../../runText'
import { severityTones } from '../../stateTones'
import { projectFolder, projectGroup as group } from './group'

export const projectValidate = defineCommand({
  group,
  name: 'validate',
  summary: 'Check the files of the runs in a folder; exits with 1 for errors.',
  positionals: { folder: projectFolder },
  data: {
    folder: 'absolute path',
    runs: '[{ system, folder, marker }]',
    valid: 'true or false',
    findings: '[{ file, line, column, rule, severity, found, expected, … }]',
  },
  examples: ['project validate resources/sample-project'],
  run: async ({ output, signal }, { folder }) => {
    const { findings, ...project } = await validateProject(folder, loadRemembered, signal)
    const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length
    const valid = count('error') === 0
    const summary = `${counted(project.runs.length, 'run')}: ${counted(count('error'), 'error')}, ${counted(count('warning'), 'warning')}, ${counted(count('info'), 'note')}.`
    output.result({ ...project, valid, findings }, [
      ...findings.map((finding) => toned(severityTones[finding.severity], findingText(finding))),
      summary,
    ])
    return valid ? EXIT_OK : EXIT_FAILED
  },
})

const findingText = (finding: Finding): string =>
  `${printFinding(finding)}${finding.repair ? ` (can be repaired: ${finding.repair.title})` : ''}`
