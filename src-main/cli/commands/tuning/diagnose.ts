import { diagnoseSkill, tuningAreas, type SkillDiagnosis } from '../../../loops/tuning/diagnoseSkill'
import { defineCommand } from '../../command'
import { EXIT_FAILED, EXIT_OK } from '../../exitCodes'
import { choices } from '../../parameters'
import { toned, type Printed } from '../../printed'
import { loadRemembered } from '../../remembered'
import { counted, oneLine } from '../../runText'
import { issueTones } from '../../stateTones'
import { skillPath, tuningGroup as group } from './group'

export const tuningDiagnose = defineCommand({
  group,
  name: 'diagnose',
  summary: 'Scan a skill for causes of failure; exits with 1 when it fails the quality gate.',
  positionals: { folder: skillPath },
  options: { area: choices('AREA', 'Scan for this only. May be given several times.', tuningAreas) },
  data: {
    folder: 'absolute path',
    skill: 'its folder in that one',
    run: 'the folder of its tuning run, or null',
    files: 'how many were scanned',
    skipped: '[{ file, reason }]',
    problem: 'as its run has it, or empty',
    score: 'from 0 to 100',
    gate: 'pass, review or fail',
    composite: '{ score, gate, parts }',
    issuesBySeverity: '{ critical, high, medium, low }: without those of low confidence',
    diagnosis: '{ context, … }: of each area, as in state.json',
    issues:
      '[{ id, type, severity, priority, location, description, evidence, … }]; confidence: low where it may be no fault',
  },
  examples: [
    'tuning diagnose resources/sample-project',
    'tuning diagnose resources/sample-project/skills/sprite-sheets --area context --area agent',
  ],
  run: async ({ output, signal }, { folder, area }) => {
    const areas = area.length === 0 ? tuningAreas : area
    const found = await diagnoseSkill(folder, { areas, loadRemembered, signal })
    output.result(found, describe(found))
    return found.gate === 'fail' ? EXIT_FAILED : EXIT_OK
  },
})

function describe({ skill, files, skipped, score, gate, issuesBySeverity, issues }: SkillDiagnosis): Printed {
  const unsure = issues.filter(({ confidence }) => confidence === 'low').length
  const counts = [
    ...Object.entries(issuesBySeverity).flatMap(([severity, count]) => (count > 0 ? [`${count} ${severity}`] : [])),
    ...(unsure > 0 ? [`${unsure} of low confidence`] : []),
  ]
  return [
    ...issues.flatMap(({ id, severity, confidence, description, evidence, suggested_fix }) => [
      confidence === 'low'
        ? toned('muted', `low confidence, ${severity} ${id}: ${description}`)
        : toned(issueTones[severity], `${severity} ${id}: ${description}`),
      ...evidence.map((line) => `  ${oneLine(line)}`),
      toned('muted', `  ${suggested_fix}`),
    ]),
    ...skipped.map(({ file, reason }) => toned('notice', `Not scanned: ${file} (${reason}).`)),
    `${skill}: ${counted(issues.length, 'issue')}${counts.length === 0 ? '' : ` (${counts.join(', ')})`} in ${counted(files, 'file')}. Score ${score}, gate: ${gate}.`,
  ]
}
