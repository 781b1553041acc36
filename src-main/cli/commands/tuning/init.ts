import { focusNames, initTuning } from '../../../loops/tuning/initTuning'
import { defineCommand } from '../../command'
import { EXIT_OK } from '../../exitCodes'
import { choices, number, required, text } from '../../parameters'
import { toned } from '../../printed'
import { projectFolder, tuningGroup as group } from './group'

export const tuningInit = defineCommand({
  group,
  name: 'init',
  summary: 'Create a tuning run for a skill, with a copy of the skill.',
  details: 'The run is a folder in .workflow/.scratchpad of the project. The skill itself does not change.',
  positionals: { folder: projectFolder },
  options: {
    skill: text('FOLDER', 'The folder of the skill, relative to the project; needed where there are several.'),
    problem: required(text('TEXT', 'What goes wrong with the skill.')),
    focus: choices('AREA', 'Diagnose this only. May be given several times.', focusNames),
    'max-iterations': number('N', 'End after this many iterations. Default: 5.', { min: 1, max: 1_000 }),
  },
  data: {
    folder: 'absolute path',
    run: 'the folder of the run in it',
    skill: 'the folder of the skill in it',
    created: 'its new files',
    warnings: 'texts',
  },
  examples: ["tuning init . --skill skills/notes --problem 'It forgets the format after ten entries'"],
  run: async ({ output, signal }, { folder, skill, problem, focus, 'max-iterations': maxIterations }) => {
    const made = await initTuning({ folder, skill, problem, focus, maxIterations, signal })
    output.result(made, [
      ...made.warnings.map((warning) => toned('notice', warning)),
      `Created ${made.run} for ${made.skill}. Next: tuning run.`,
    ])
    return EXIT_OK
  },
})
