import { diagnoseSkill, reportOn, tuningAreas } from '../../../loops/tuning/diagnoseSkill'
import { defineCommand } from '../../command'
import { EXIT_FAILED, EXIT_OK } from '../../exitCodes'
import { loadRemembered } from '../../remembered'
import { skillPath, tuningGroup as group } from './group'

export const tuningReport = defineCommand({
  group,
  name: 'report',
  summary: 'Print a report on a skill in Markdown; exits with 1 when it fails the quality gate.',
  details: 'Redirect it to keep it: tuning report DIR > tuning-report.md.',
  positionals: { folder: skillPath },
  data: {
    folder: 'absolute path',
    skill: 'its folder in that one',
    score: 'from 0 to 100',
    gate: 'pass, review or fail',
    report: 'Markdown',
  },
  examples: ['tuning report resources/sample-project'],
  run: async ({ output, signal }, { folder }) => {
    const found = await diagnoseSkill(folder, { areas: tuningAreas, loadRemembered, signal })
    const report = reportOn(found)
    const { skill, score, gate } = found
    output.result({ folder: found.folder, skill, score, gate, report }, report.trimEnd())
    return gate === 'fail' ? EXIT_FAILED : EXIT_OK
  },
})
